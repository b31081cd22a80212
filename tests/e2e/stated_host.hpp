// A prover with the plugins as built, whose proofs draw stated r and s: so that bytes of proofs can be compared.
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <pinion/host/config/load.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <pinion/test/vectors.hpp>

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
    setup.plugin_paths = {PINION_PLUGINS};
    auto opened = Prover::open(setup, log, clock, random);
    INFO((opened ? std::string() : opened.status().message()));
    REQUIRE(opened);
    prover = *std::move(opened);
  }

 private:
  static Config configured(const ProvingRoute& route) {
    ConfigSources sources;
    sources.defaults = {"alloc-heap", {route.backend}, {"proof-porep", "proof-snapdeals", "proof-post"}, "this test"};
    sources.flags = {{"--job-format", "pipeline.job_format", route.format}};
    const LoadedConfig loaded = load_config(sources);
    REQUIRE(loaded.ok());
    return loaded.config;
  }
};

// `input`: a file of `folder`, or "" for the parts in it.
inline ProveRequest request_of(const std::string& family, const std::string& input, const std::filesystem::path& folder,
                               const std::filesystem::path& params) {
  ProveRequest request;
  request.family = family;
  request.params_dir = params;
  request.allow_test_keys = true;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (input.empty() ? name.ends_with(".bin") || name == "meta.json" : name == input)
      request.parts.push_back({name, pinion::test::read_file(entry.path())});
  }
  return request;
}

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
