// A device that fails in the middle of a proof, seen from above: the whole host, a real sector, the emulated CUDA
// backend with a fault on request, and the CPU backend behind it.
#include <catch2/catch.hpp>
#include <filesystem>
#include <pinion/host/config/load.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <pinion/test/vectors.hpp>

using namespace pinion::host;
using pinion::test::find_vector;

namespace {

struct FaultyHost {
  MemoryLog log;
  SteadyClock clock;
  OsRandom random;
  std::unique_ptr<Prover> prover;

  FaultyHost(const std::string& fault, const std::string& stage) {
    ConfigSources sources;
    sources.defaults = {"alloc-heap", {"backend-cuda-emulated", "backend-cpu"}, {"proof-post"}, "this test"};
    sources.file = "drill.toml";
    sources.file_text =
        "[plugin.backend-cuda-emulated]\ndevices = [0]\nfault = \"" + fault + "\"\nfault_stage = \"" + stage + "\"\n";
    const LoadedConfig loaded = load_config(sources);
    REQUIRE(loaded.ok());
    ProverSetup setup;
    setup.config = loaded.config;
    setup.plugin_paths = {PINION_EMULATED_PLUGINS, PINION_PLUGINS};
    auto opened = Prover::open(setup, log, clock, random);
    INFO((opened ? std::string() : opened.status().message()));
    REQUIRE(opened);
    prover = *std::move(opened);
  }
};

ProveRequest winning(const std::filesystem::path& folder, const std::filesystem::path& params) {
  ProveRequest request;
  request.family = "winning";
  request.params_dir = params;
  request.allow_test_keys = true;
  for (const char* name : {"meta.json", "sector-0.bin"})
    request.parts.push_back({name, pinion::test::read_file(folder / name)});
  return request;
}

}  // namespace

TEST_CASE("a lost device is quarantined with its reason, and the next backend makes the proof") {
  const auto meta = find_vector("cases/post-Winning2KiBV1-seed3/meta.json");
  if (!meta) return;
  const pinion::test::TemporaryDirectory params;
  for (const auto& [fault, stage, reason] :
       {std::tuple{"device-lost", "load", "the device is lost (a drill)"},
        std::tuple{"illegal-address", "start", "an illegal memory access was encountered (emulated)"}}) {
    CAPTURE(fault, stage);
    FaultyHost host(fault, stage);
    const auto kind = host.prover->find_kind("winning", Bytes(2048));
    REQUIRE(kind);
    if (std::filesystem::is_empty(params.path()))
      REQUIRE(host.prover->generate_keys(**kind, params.path(), "toxic", [](const auto&...) {}).ok());
    const auto result = host.prover->prove(winning(meta->parent_path(), params.path()));
    INFO((result ? std::string() : result.status().message()));
    REQUIRE(result);
    CHECK(host.prover->verify(winning(meta->parent_path(), params.path()), result->proof).ok());
    const auto devices = host.prover->devices();
    REQUIRE(devices.size() == 2);
    CHECK_FALSE(devices[0].usable);
    CHECK_THAT(devices[0].reason, Catch::StartsWith("quarantined: ") && Catch::Contains(reason));
    CHECK(devices[1].usable);
    CHECK(result->parts.front().attempts == 2);
  }
}
