// Rule 10 on the product as users run it: after a burst of jobs the process holds what is charged, and little more.
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <pinion/host/config/load.hpp>
#include <pinion/host/config/machine_process.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <pinion/test/vectors.hpp>
#include <thread>

using namespace pinion::host;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<Prover> open_prover(Log& log, const Clock& clock, RandomSource& random) {
  ConfigSources sources;
  sources.defaults = {"alloc-heap", {"backend-cpu"}, {"proof-post"}, "this test"};
  const LoadedConfig loaded = load_config(sources);
  REQUIRE(loaded.ok());
  ProverSetup setup;
  setup.config = loaded.config;
  setup.plugin_paths = {PINION_PLUGINS};
  auto opened = Prover::open(setup, log, clock, random);
  INFO((opened ? std::string() : opened.status().message()));
  REQUIRE(opened);
  return *std::move(opened);
}

ProveRequest winning(const fs::path& folder, const fs::path& params) {
  ProveRequest request;
  request.family = "winning";
  request.params_dir = params;
  request.allow_test_keys = true;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".bin") || name == "meta.json")
      request.parts.push_back({name, pinion::test::read_file(entry.path())});
  }
  return request;
}

void burst(Prover& prover, const fs::path& folder, const fs::path& params, int jobs) {
  std::vector<std::jthread> clients;
  std::atomic<int> failed{0};
  for (int i = 0; i < jobs; ++i)
    clients.emplace_back([&] {
      if (!prover.prove(winning(folder, params))) ++failed;
    });
  clients.clear();
  CHECK(failed == 0);
}

void check_follows(Prover& prover, const char* when) {
  const auto within = [&] {
    const auto process = read_process_memory();
    const double used = static_cast<double>(prover.snapshot().spaces.front().used.count());
    return process && static_cast<double>(process->own().count()) <= used * 1.05 + 256 * 1024 * 1024.;
  };
  // The heap is trimmed just after the last client has its answer.
  for (int i = 0; i < 200 && !within(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(within());
  const auto process = read_process_memory();
  std::printf("%s: resident %s (most ever %s), charged %s\n", when, human_text(process->own()).c_str(),
              human_text(process->peak).c_str(), human_text(prover.snapshot().spaces.front().used).c_str());
}

}  // namespace

TEST_CASE("rule 10: resident memory follows the ledger through bursts of jobs and an eviction", "[memory][rss]") {
  const auto meta = pinion::test::find_vector("cases/post-Winning2KiBV1-seed3/meta.json");
  if (!meta) {
    std::puts("skipped: no vectors");
    return;
  }
  const pinion::test::TemporaryDirectory params;
  MemoryLog log;
  SteadyClock clock;
  OsRandom random;
  const auto prover = open_prover(log, clock, random);
  const auto kind = prover->find_kind("winning", Bytes(2048));
  REQUIRE(kind);
  REQUIRE(prover->generate_keys(**kind, params.path(), "toxic", [](const auto&...) {}).ok());
  for (int round = 0; round < 2; ++round) {
    burst(*prover, meta->parent_path(), params.path(), 4);
    check_follows(*prover, round == 0 ? "after a burst of 4 jobs" : "after another");
  }
  CHECK(prover->evict(SpaceId::host(), prover->snapshot().spaces.front().used) > Bytes());
  check_follows(*prover, "after evicting all");
}
