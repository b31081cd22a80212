// Devices that fail in the middle of a proof, seen from above: the whole host, real inputs, the CUDA backend with a
// fault on request, and the CPU backend behind it. Every build has the devices emulated; tests/gpu/run has this with
// PINION_E2E_BACKEND=backend-cuda on real ones.
#include <fmt/format.h>

#include <atomic>
#include <span>

#include "stated_host.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
namespace fs = std::filesystem;

namespace {

const std::string emulated = "backend-cuda-emulated";
std::string cuda_backend() {
  const char* const named = std::getenv("PINION_E2E_BACKEND");
  return named != nullptr ? named : emulated;
}

struct FaultyHost {
  MemoryLog log;
  SteadyClock clock;
  OsRandom random;
  std::unique_ptr<Prover> prover;

  // `options`: of the CUDA backend. Memory is page-locked where devices are real, and other only as a stated fallback.
  explicit FaultyHost(const std::string& options, bool fallback = false) {
    const bool real = cuda_backend() != emulated;
    ConfigSources sources;
    sources.defaults = {real ? "alloc-pinned" : "alloc-heap",
                        {cuda_backend(), "backend-cpu"},
                        {"proof-snapdeals", "proof-post"},
                        "this test"};
    sources.file = "drill.toml";
    sources.file_text = fmt::format("[plugins]\n{}[pipeline]\njob_format = \"evaluations\"\n[plugin.{}]\n{}",
                                    real && fallback ? "fallback = \"alloc-heap\"\n" : "", cuda_backend(), options);
    ProverSetup setup;
    setup.config = configured(sources);
    if (!real) setup.plugin_paths.emplace_back(PINION_EMULATED_PLUGINS);
    prover = open_prover(std::move(setup), log, clock, random);
  }
};

// A job of several partitions: of a size that the emulator proves in minutes, or one that keeps a real device busy.
struct Subject {
  std::string family, size;
  std::vector<std::pair<std::string, std::string>> options;  // of its made-up input
};
Subject several_partitions() {
  if (cuda_backend() == emulated) return {"window", "2KiB", {{"sectors", "3"}}};
  return {"snap", "8MiB", {}};
}

class SharedJob {
 public:
  explicit SharedJob(Prover& prover) : subject_(several_partitions()) {
    const auto kind = prover.find_kind(subject_.family, *parse_size(subject_.size));
    REQUIRE(kind);
    keys_ = keys_of(prover, **kind, subject_.family + "-" + subject_.size, temporary_.path());
    PluginTable options;
    for (const auto& [key, value] : subject_.options) options.values[key] = RawValue{RawScalar(value), Origin{}, true};
    REQUIRE(prover.fake(**kind, 1, options, input_.path(), [](const auto&...) {}).ok());
  }

  // Proves, and prints what the operator would see of it. `together`: devices that were in use at the same moment.
  ProveResult prove(const FaultyHost& host, std::size_t* together = nullptr) const {
    Prover& prover = *host.prover;
    std::atomic<std::size_t> most{0};
    const auto watch = [&](const auto&) {
      const auto devices = prover.devices();
      const auto in_use = static_cast<std::size_t>(
          std::count_if(devices.begin(), devices.end(), [](const DeviceStatus& device) { return device.in_use != 0; }));
      for (std::size_t seen = most; seen < in_use && !most.compare_exchange_weak(seen, in_use);) {
      }
    };
    auto result = prover.prove(request_of(subject_.family, "", input_.path(), keys_), {}, watch);
    for (const MemoryLog::Line& line : host.log.lines())
      if (line.level >= LogLevel::warn) fmt::print("  {}\n", line.text);
    INFO((result ? std::string() : result.status().message()));
    REQUIRE(result);
    if (together != nullptr) *together = most;
    print(prover, *result);
    return *std::move(result);
  }

 private:
  static void print(const Prover& prover, const ProveResult& result) {
    for (const PartResult& part : result.parts)
      fmt::print("  part {}: {}, attempt {}\n", part.partition, part.device, part.attempts);
    for (const DeviceStatus& device : prover.devices())
      fmt::print("  {} {}: {}, strikes {}\n", device.label, device.address, device.usable ? "usable" : device.reason,
                 device.self_check_failures);
    const SpaceStatus host = prover.snapshot().spaces.front();
    fmt::print("  {:.2f} s; slabs made {}, used again {}, released {}, of another allocator {}; page-locked {} MiB\n",
               std::chrono::duration<double>(result.elapsed).count(), host.slabs_made, host.slabs_reused,
               host.slabs_released, host.fallback_uses, host.pinned.used.count() >> 20);
    std::fflush(stdout);
  }

  const Subject subject_;
  const pinion::test::TemporaryDirectory temporary_, input_;
  fs::path keys_;
};

std::set<std::string> devices_of(const ProveResult& result) {
  std::set<std::string> out;
  for (const PartResult& part : result.parts) out.insert(part.device);
  return out;
}

bool repeated(const PartResult& part) {
  return part.attempts > 1;
}

}  // namespace

TEST_CASE("a lost device is quarantined with its reason, and the next backend makes the proof") {
  const auto meta = pinion::test::find_vector("cases/post-Winning2KiBV1-seed3/meta.json");
  if (!meta) return;
  const pinion::test::TemporaryDirectory temporary;
  for (const auto& [fault, stage, reason] :
       {std::tuple{"device-lost", "load", "the device is lost (a drill)"},
        std::tuple{"illegal-address", "start", "an illegal memory access was encountered"}}) {
    CAPTURE(fault, stage);
    FaultyHost host(fmt::format("devices = [0]\nfault = \"{}\"\nfault_stage = \"{}\"\n", fault, stage));
    const auto kind = host.prover->find_kind("winning", Bytes(2048));
    REQUIRE(kind);
    const fs::path keys = keys_of(*host.prover, **kind, "winning-2KiB", temporary.path());
    const auto result = host.prover->prove(request_of("winning", "", meta->parent_path(), keys));
    INFO((result ? std::string() : result.status().message()));
    REQUIRE(result);
    CHECK(host.prover->verify(request_of("winning", "", meta->parent_path(), keys), result->proof).ok());
    const auto devices = host.prover->devices();
    REQUIRE(devices.size() == 2);
    CHECK_FALSE(devices[0].usable);
    CHECK_THAT(devices[0].reason, Catch::StartsWith("quarantined: ") && Catch::Contains(reason));
    CHECK(devices[1].usable);
    CHECK(result->parts.front().attempts == 2);
  }
}

// Tests of two devices take minutes emulated.
TEST_CASE("partitions of one job are proved on two devices at once", "[.][two-devices]") {
  FaultyHost host("");
  REQUIRE(host.prover->devices().size() == 3);
  const SharedJob job(*host.prover);
  std::size_t together = 0;
  const ProveResult result = job.prove(host, &together);
  CHECK(devices_of(result).size() == 2);
  CHECK(together == 2);
  CHECK_FALSE(result.degraded);
}

TEST_CASE("of two devices one is lost in the middle of a proof, and the other goes on, with memory and good name",
          "[.][two-devices]") {
  constexpr Bytes all_of_it(std::uint64_t{1} << 40);
  FaultyHost host("fault = \"device-lost\"\nfault_stage = \"finish\"\n");
  const SharedJob job(*host.prover);
  const std::string other = cuda_backend() + " device 1";
  for (const std::string when : {"in the proof", "before", "before, keys to be loaded again"}) {
    CAPTURE(when);
    const bool lost_before = when != "in the proof";
    if (when.ends_with("again")) CHECK(host.prover->evict(SpaceId::device(1), all_of_it) > Bytes());
    const ProveResult result = job.prove(host);
    CHECK(std::any_of(result.parts.begin(), result.parts.end(), repeated) != lost_before);
    for (const PartResult& part : result.parts)  // before the loss, the first device may have made some
      if (lost_before || repeated(part)) CHECK_THAT(part.device, Catch::StartsWith(other));
    CHECK_FALSE(result.degraded);
  }
  const auto devices = host.prover->devices();
  REQUIRE(devices.size() == 3);
  CHECK_THAT(devices[0].reason, Catch::StartsWith("quarantined: "));
  CHECK(devices[1].usable);
  CHECK(devices[1].self_check_failures == 0);
  CHECK(devices[2].in_use == 0);
  CHECK(host.prover->snapshot().spaces.front().fallback_uses == 0);
}

// The last of all: no other test can use a device after it.
TEST_CASE("an illegal address on one device ends CUDA for the process, and the CPU goes on, from the fallback's memory",
          "[.][two-devices]") {
  FaultyHost host("fault = \"illegal-address\"\nfault_stage = \"finish\"\n", true);
  const SharedJob job(*host.prover);
  for (const bool dead_before : {false, true}) {
    CAPTURE(dead_before);
    const ProveResult result = job.prove(host);
    CHECK(std::any_of(result.parts.begin(), result.parts.end(), repeated) != dead_before);
    for (const PartResult& part : result.parts)
      if (dead_before || repeated(part)) CHECK(part.backend == "backend-cpu");
    CHECK(result.degraded);
  }
  const auto devices = host.prover->devices();
  for (const DeviceStatus& device : std::span(devices).first(2)) {
    CHECK_THAT(device.reason, Catch::Contains("an illegal memory access was encountered"));
    CHECK(device.self_check_failures == 0);
  }
}
