// Rule 10 on the product as users run it: after a burst of jobs the process holds what is charged, and little more.
#include <cstdio>
#include <pinion/host/config/machine_process.hpp>
#include <pinion/test/shipped_prover.hpp>
#include <thread>

using namespace pinion::host;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<Prover> open_post(Log& log, const Clock& clock, RandomSource& random) {
  ConfigSources sources;
  sources.defaults = {"alloc-heap", {"backend-cpu"}, {"proof-post"}, "this test"};
  sources.flags = {{"--set", "memory.critical_reserve", "0"}};  // charged, but never there: it would hide what is
  ProverSetup setup;
  setup.config = test::configured(sources);
  return test::open_prover(std::move(setup), log, clock, random);
}

ProveRequest winning(const fs::path& folder, const fs::path& params) {
  return test::request_of("winning", "", folder, params);
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

// A file that is cut or removed, while its keys are loaded or before they are, is an error in words; nothing of it is
// held afterwards, and all is well once the file is back.
void check_files(Prover& prover, const fs::path& folder, const fs::path& params) {
  fs::path keys;
  for (const auto& entry : fs::directory_iterator(params))
    if (entry.path().extension() == ".params") keys = entry.path();
  REQUIRE_FALSE(keys.empty());
  const fs::path whole = keys.string() + ".whole";
  REQUIRE(prover.prove(winning(folder, params)));
  fs::copy_file(keys, whole);
  fs::resize_file(keys, fs::file_size(keys) / 2);
  // The keys are loaded; whether a file that is not theirs any more is used is the plugin's to say, in words.
  const auto loaded = prover.prove(winning(folder, params));
  if (!loaded) CHECK_THAT(loaded.status().message(), Catch::Contains(keys.filename().string()));
  const Bytes everything = prover.snapshot().spaces.front().used;
  prover.evict(SpaceId::host(), everything);
  const auto cut = prover.prove(winning(folder, params));
  REQUIRE_FALSE(cut);
  CHECK_THAT(cut.status().message(), Catch::Contains(keys.filename().string()));
  fs::remove(keys);
  CHECK_FALSE(prover.prove(winning(folder, params)));
  for (const HoldingStatus& holding : prover.snapshot().spaces.front().holdings) CHECK(holding.owner.job.empty());
  fs::rename(whole, keys);
  CHECK(prover.prove(winning(folder, params)));
}

TEST_CASE("rules 10 and 11 on the product: resident memory follows the ledger, and cut files are errors",
          "[memory][rss]") {
  const auto meta = pinion::test::find_vector("cases/post-Winning2KiBV1-seed3/meta.json");
  if (!meta) {
    std::puts("skipped: no vectors");
    return;
  }
  const pinion::test::TemporaryDirectory params;
  MemoryLog log;
  SteadyClock clock;
  OsRandom random;
  const auto prover = open_post(log, clock, random);
  const auto kind = prover->find_kind("winning", Bytes(2048));
  REQUIRE(kind);
  REQUIRE(prover->generate_keys(**kind, params.path(), "toxic", [](const auto&...) {}).ok());
  burst(*prover, meta->parent_path(), params.path(), 4);
  check_follows(*prover, "after a burst of 4 jobs");
  CHECK(prover->evict(SpaceId::host(), prover->snapshot().spaces.front().used) > Bytes());
  check_follows(*prover, "after evicting all");
  check_files(*prover, meta->parent_path(), params.path());
}
