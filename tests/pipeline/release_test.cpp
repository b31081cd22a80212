// Two-phase release: what is free after `start` comes back while `finish` still runs. And whatever goes wrong,
// wherever: everything comes back.
#include <nlohmann/json.hpp>
#include <thread>

#include "host.hpp"

using namespace toy;
using nlohmann::json;

namespace {

struct Stretch {
  double begin = -1, end = -1;
};

// Of the stage in the partition, by the trace.
Stretch stretch(const Prover& prover, const std::string& stage, std::uint32_t partition) {
  const json trace = json::parse(prover.trace());
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X" || event.at("name") != stage || event.at("args").value("partition", 99u) != partition)
      continue;
    const double begin = event.at("ts"), duration = event.at("dur");
    return {begin, begin + duration};
  }
  FAIL("no " << stage << " of partition " << partition);
  return {};
}

}  // namespace

TEST_CASE("The next partition is synthesized while the last one is still finishing") {
  // A witness takes 1.6 of 3 MiB: it fits beside what another partition keeps until finish, not beside its witness.
  const std::string tight =
      "[memory]\nbudget = \"3MiB\"\nsafety_margin = \"1MiB\"\n[plugins]\nproofs = [\"toy-proof\"]\n"
      "allocator = \"alloc-heap\"\nbackends = [\"toy-backend\"]\n[pipeline]\nmax_synthesis = 4\n";
  Host host(tight + script("toy-backend", {"start:1:sleep50", "finish:*:sleep400"}));
  const auto result = host.prover().prove(request(2, 200000));
  INFO(result.status().text());
  REQUIRE(result.ok());
  const std::uint32_t first =
      stretch(host.prover(), "start", 0).begin < stretch(host.prover(), "start", 1).begin ? 0 : 1;
  const Stretch started = stretch(host.prover(), "start", first);
  const Stretch finishing = stretch(host.prover(), "finish", first);
  const Stretch next = stretch(host.prover(), "synthesize", 1 - first);
  CHECK(next.begin >= started.end);  // not before the first phase of the release
  CHECK(next.end < finishing.end);   // and long before the second
  CHECK(finishing.end - started.end >= 400e3);
  host.check_all_returned();
}

TEST_CASE("Every fault at every stage returns everything") {
  struct Place {
    const char* plugin;
    const char* stage;
  };
  const Place places[] = {{"toy-proof", "open"},     {"toy-proof", "plan"},     {"toy-backend", "backend_plan"},
                          {"toy-proof", "load"},     {"toy-backend", "load"},   {"toy-proof", "synthesize"},
                          {"toy-backend", "start"},  {"toy-backend", "finish"}, {"toy-proof", "verify_part"},
                          {"toy-proof", "assemble"}, {"toy-proof", "verify"}};
  const std::vector<std::string> faults = {"throw",    "strange_status", "invalid_input", "unsupported",
                                           "internal", "proof_invalid",  "out_of_memory", "device_lost"};
  for (const Place& place : places)
    for (const std::string& fault : faults)
      for (const char* when : {"1", "2+", "*"}) {
        const std::string stage = place.stage;
        INFO(place.plugin << " " << stage << " " << when << " " << fault);
        // What it has borrowed when it fails comes back too.
        Host host(config(script(place.plugin, {stage + ":" + when + ":leak", stage + ":" + when + ":" + fault},
                                place.plugin == std::string("toy-backend") ? "devices = 2" : "")));
        const auto result = host.prover().prove(request(3));
        // Some faults are worked around; what comes out then is a proof that verifies.
        if (result.ok()) CHECK(result->proof.size() == 3 * 32);
        host.check_all_returned();
      }
}

TEST_CASE("A job cancelled at every moment of its life returns everything") {
  Host host(config(script("toy-backend", {"start:*:sleep2", "finish:*:sleep2"}, "devices = 2")));
  Prover& prover = host.prover();
  int cancelled = 0;
  for (int moment = 0; moment < 60; ++moment) {
    std::stop_source stop;
    Result<ProveResult> result = Status(Code::internal, "not run");
    {
      std::jthread client([&] { result = prover.prove(request(4), stop.get_token()); });
      std::this_thread::sleep_for(std::chrono::microseconds(500 * moment));
      stop.request_stop();
    }
    cancelled += result.status().code() == Code::cancelled;
    CHECK((result.ok() || result.status().code() == Code::cancelled));
    host.check_all_returned();
  }
  CHECK(cancelled > 0);
}
