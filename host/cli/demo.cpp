#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/demo_keys.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/result.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct DemoFlags {
  HostFlags host;
  std::string keys;  // --keys
};

Result<ProveResult> prove_sample(Program& program, Prover& prover, Prover::Sample sample, const fs::path& folder) {
  if (auto status = ensure_demo_keys(program, prover, *sample.kind, folder); !status.ok()) return status;
  sample.request.params_dir = folder;
  sample.request.allow_test_keys = true;
  program.console.note(fmt::format("Proving {}: {}", sample.kind->title, sample.title));
  Progress bar(program.console);
  return prover.prove(std::move(sample.request), program.stop, progress_on(bar));
}

void print_closing(Console& console, std::size_t proofs, const fs::path& keys) {
  const auto say = [&](const std::string& text) { console.print(wrapped(text, console.terminal().width)); };
  console.print("");
  say(
      fmt::format("{} {}, made through the plugins above from real inputs, and verified. Next: a sector of your own "
                  "('pinion prove --help'), or what this machine lacks for large ones ('pinion doctor').",
                  proofs, proofs == 1 ? "proof" : "proofs"));
  say(fmt::format("The keys stay in {} for the next time; remove the folder when you are done.", shown(keys)));
}

Exit demo(Program& program, const DemoFlags& flags) {
  auto& console = program.console;
  // Warnings would be about the test keys, which the demo announces itself.
  auto host = OneShotHost::open(program, flags.host, Needs::everything, LogLevel::error);
  if (!host) return console.fail(host.status());
  auto& prover = (*host)->prover();
  const auto folder = demo_key_folder(flags.keys);
  if (!folder) return console.fail(folder.status());
  auto samples = prover.samples();
  if (samples.empty())
    return console.fail(Exit::config, "no proof plugin here ships a sample; see 'pinion plugin list'");
  std::vector<ProveResult> results;
  auto documents = ordered_json::array();
  for (auto& sample : samples) {
    auto result = prove_sample(program, prover, std::move(sample), folder->path());
    if (!result)
      return console.fail(result.status(), fmt::format("{} of {} proofs were made; only whole keys stay in {}",
                                                       results.size(), samples.size(), shown(folder->path())));
    if (flags.host.json) documents.push_back(to_json(*result, memory_use(prover.snapshot())));
    results.push_back(*std::move(result));
  }
  if (flags.host.json) {
    console.print_json(documents);
  } else {
    console.print("");
    print_results(console, results, memory_use(prover.snapshot()));
    print_closing(console, results.size(), folder->path());
  }
  return Exit::success;
}

}  // namespace

void add_demo(CLI::App& app, Program& program) {
  auto flags = std::make_shared<DemoFlags>();
  auto& verb = add_verb(app, {"demo", "prove and verify the inputs that ship with the plugins; needs nothing",
                              "Proving", "pinion demo\npinion demo --json --keys build/demo-keys"});
  names_folder(
      *verb.add_option("--keys", flags->keys, "folder of the demo's insecure keys; default: the user's cache folder"));
  add_proving_flags(verb, flags->host);
  verb.callback([&program, flags] { program.action = [&program, flags] { return demo(program, *flags); }; });
}

}  // namespace pinion::host::cli
