// A prover with the plugins as built, whose proofs draw stated r and s: so that bytes of proofs can be compared.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <pinion/test/shipped_prover.hpp>

namespace pinion::host::test {

// r and s of each partition as they are stated; anything else that is drawn comes from the OS.
class StatedRandom final : public RandomSource {
 public:
  void state(std::uint32_t partition, std::vector<std::uint8_t> r, std::vector<std::uint8_t> s) {
    stated_[partition] = {{std::move(r), std::move(s)}, 0};
  }
  Status fill(const Owner& owner, std::span<std::uint8_t> out) override {
    const std::lock_guard lock(mutex_);
    const auto found = owner.partition ? stated_.find(*owner.partition) : stated_.end();
    if (found == stated_.end() || out.size() != 32) return os_.fill(owner, out);
    auto& [values, drawn] = found->second;
    const auto& value = values[drawn++ % 2];  // again from r when a second format is proven
    std::copy(value.begin(), value.end(), out.begin());
    return {};
  }

 private:
  struct Stated {
    std::array<std::vector<std::uint8_t>, 2> values;
    unsigned drawn = 0;
  };
  std::mutex mutex_;
  std::map<std::uint32_t, Stated> stated_;
  OsRandom os_;
};

// PINION_E2E_BACKEND, or the one that needs no device.
inline std::string backend_under_test() {
  const char* const backend = std::getenv("PINION_E2E_BACKEND");
  return backend != nullptr ? backend : "backend-cpu";
}

// Which backend proves, and in which job format.
struct ProvingRoute {
  std::string backend, format;
};

struct TestHost {
  MemoryLog log;
  SteadyClock clock;
  StatedRandom random;
  std::unique_ptr<Prover> prover;

  explicit TestHost(const std::string& job_format) : TestHost({{backend_under_test(), job_format}}) {}
  // Configuration i of the prover is route i (Prover::use); the first is in use.
  explicit TestHost(const std::vector<ProvingRoute>& routes) {
    ProverSetup setup;
    setup.config = configured(routes.front());
    for (std::size_t i = 1; i < routes.size(); ++i) setup.alternatives.push_back(configured(routes[i]));
    prover = open_prover(std::move(setup), log, clock, random);
  }

 private:
  static Config configured(const ProvingRoute& route) {
    ConfigSources sources;
    sources.defaults = {"alloc-heap", {route.backend}, {"proof-porep", "proof-snapdeals", "proof-post"}, "this test"};
    sources.flags = {{"--job-format", "pipeline.job_format", route.format}};
    return test::configured(sources);
  }
};

// Keys of a kind, made with the label "toxic": in PINION_E2E_KEYS/FAMILY-SIZE where that is set, and left there for
// other runs; else in `otherwise`.
inline std::filesystem::path keys_of(Prover& prover, const Kind& kind, const std::string& name,
                                     const std::filesystem::path& otherwise) {
  const char* const kept = std::getenv("PINION_E2E_KEYS");
  const std::filesystem::path folder = (kept != nullptr ? kept : otherwise) / name;
  std::filesystem::create_directories(folder);
  if (!std::filesystem::is_empty(folder)) return folder;
  const Status made = prover.generate_keys(kind, folder, "toxic", [](const auto&...) {});
  INFO(made.message());
  REQUIRE(made.ok());
  return folder;
}

}  // namespace pinion::host::test
