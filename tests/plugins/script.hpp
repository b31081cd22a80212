// What a double does beside its work, as its `script` option says: a list of "STAGE:WHEN:ACTION".
//
//   STAGE   plan, open, synthesize, verify_part, assemble, verify, load, start, finish, fake, generate,
//           check
//           "start@1": only on device 1
//   WHEN    the how-manieth call of that stage, from 1; "*" each; "3+" from the third on; "/3" each third
//   ACTION  invalid_input, out_of_memory, device_lost, unsupported, internal, proof_invalid: fails with it
//           strange_status: returns a code outside the list (C tables only); throw: a plain exception
//           flip: changes one bit of what the stage makes; of a shape it makes a null pointer
//           sleep, sleepN: 30 or N ms of work that polls for cancellation
//           hang: works until it is cancelled; deaf: works and never looks whether it is; both say so in the log
//           leak: keeps a scratch buffer and reservations, of its device too
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <pinion/plugin.hpp>
#include <string>
#include <thread>
#include <vector>

namespace toy {

class Script {
 public:
  Script(pinion::Host host, const std::vector<std::string>& lines) : host_(host) {
    for (const std::string& line : lines) {
      const auto first = line.find(':'), second = line.find(':', first + 1);
      if (first == std::string::npos || second == std::string::npos)
        throw pinion::Error(PINION_INVALID_CONFIG, "script: \"" + line + "\" is not STAGE:WHEN:ACTION");
      rules_.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
    }
  }

  // Counts a call of `stage` and acts. True when what the stage makes should be flipped. `call` may be null.
  bool act(const std::string& stage, pinion::Call* call, int device = -1) {
    const std::string here = stage + "@" + std::to_string(device);
    std::vector<std::string> actions;
    {
      const std::lock_guard lock(mutex_);
      const unsigned count = ++counts_[stage];
      const unsigned count_here = ++counts_[here];
      for (const Rule& rule : rules_)
        if ((rule.stage == stage && applies(rule.when, count)) ||
            (rule.stage == here && applies(rule.when, count_here)))
          actions.push_back(rule.action);
    }
    bool flip = false;
    for (const std::string& action : actions) flip |= run(action, stage, call, device);
    return flip;
  }

  // Sleeps, polling for cancellation.
  static void work(pinion::Call* call, std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      if (call) call->check();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

 private:
  struct Rule {
    std::string stage, when, action;
  };

  static bool applies(const std::string& when, unsigned count) {
    if (when == "*") return true;
    if (when.front() == '/') return count % std::stoul(when.substr(1)) == 0;
    const auto number = static_cast<unsigned>(std::stoul(when));
    return when.back() == '+' ? count >= number : count == number;
  }

  bool run(const std::string& action, const std::string& stage, pinion::Call* call, int device) const {
    static const std::map<std::string, pinion_status> codes = {{"invalid_input", PINION_INVALID_INPUT},
                                                               {"out_of_memory", PINION_OUT_OF_MEMORY},
                                                               {"device_lost", PINION_DEVICE_LOST},
                                                               {"unsupported", PINION_UNSUPPORTED},
                                                               {"internal", PINION_INTERNAL},
                                                               {"proof_invalid", PINION_PROOF_INVALID},
                                                               {"strange_status", 77}};
    if (const auto code = codes.find(action); code != codes.end())
      throw pinion::Error(code->second, "scripted " + action + " in " + stage);
    if (action == "throw") throw std::runtime_error("scripted exception in " + stage);
    if (action == "flip") return true;
    if (action.starts_with("sleep"))
      work(call, std::chrono::milliseconds(action == "sleep" ? 30 : std::stol(action.substr(5))));
    if (action == "hang" || action == "deaf") {
      host_.debug("hangs in " + stage);
      work(action == "hang" ? call : nullptr, std::chrono::minutes(5));
    }
    if (action == "leak" && call) {
      pinion_buffer buffer{};
      pinion_error err = pinion::empty_error();
      pinion::require_ok(call->raw()->acquire(call->raw(), 1 << 20, PINION_MEMORY_ANY, &buffer, &err), err);
      pinion::require_ok(call->raw()->reserve(call->raw(), PINION_SPACE_HOST, 12345, &err), err);
      // Of its device too, where that has memory of its own and is not full.
      if (device >= 0)
        (void)call->raw()->reserve(call->raw(), PINION_SPACE_DEVICE(static_cast<std::uint32_t>(device)), 4321, &err);
    }
    return false;
  }

  pinion::Host host_;
  std::vector<Rule> rules_;
  std::mutex mutex_;
  std::map<std::string, unsigned> counts_;
};

}  // namespace toy
