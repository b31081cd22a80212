// A whole host on the toy plugins, from a pinion.toml in the test.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <pinion/host/config/load.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <pinion/test/vectors.hpp>
#include <string>
#include <thread>

namespace toy {

using namespace pinion::host;

// Bytes that a seed fixes, so that two proofs of one request can be compared.
class SeededRandom final : public RandomSource {
 public:
  Status fill(const Owner& owner, std::span<std::uint8_t> out) override {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<std::uint8_t>(owner.partition.value_or(0) * 31 + i * 7 + 1);
    return {};
  }
};

// [memory] 64 MiB, one toy backend with one device; `more` is appended, and may hold [plugin.X] tables.
inline std::string config(const std::string& more = "", const std::string& plugins = R"(allocator = "alloc-heap"
backends = ["toy-backend"])") {
  return "[memory]\nbudget = \"64MiB\"\nsafety_margin = \"1MiB\"\n[plugins]\nproofs = [\"toy-proof\"]\n" + plugins +
         "\n" + more;
}

inline Config parsed(const std::string& text) {
  ConfigSources sources;
  sources.file = "test.toml";
  sources.file_text = text;
  LoadedConfig loaded = load_config(sources);
  INFO(problems_text(loaded.problems));
  REQUIRE(loaded.ok());
  return loaded.config;
}

struct Host {
  explicit Host(const std::string& text = config()) : Host(parsed(text)) {}
  explicit Host(const Config& settings, std::vector<Config> alternatives = {})
      : opened(Prover::open(setup(settings, std::move(alternatives)), log, clock, random)) {}

  static ProverSetup setup(const Config& settings, std::vector<Config> alternatives = {}) {
    ProverSetup out;
    out.config = settings;
    out.alternatives = std::move(alternatives);
    out.plugin_paths = {PINION_TEST_PLUGINS};
    return out;
  }

  Prover& prover() {
    INFO(opened.status().text());
    REQUIRE(opened.ok());
    return **opened;
  }

  SpaceStatus space(std::size_t i = 0) { return prover().snapshot().spaces.at(i); }

  // Until a call of `stage` hangs as its script says. Whoever cancels or proves again earlier leaves the hang to
  // another call.
  void wait_for_hang(const std::string& stage) {
    const auto hangs = [&](const MemoryLog::Line& line) { return line.text.ends_with("hangs in " + stage); };
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      const auto lines = log.lines();
      if (std::any_of(lines.begin(), lines.end(), hangs)) return;
      INFO(stage);
      REQUIRE(std::chrono::steady_clock::now() < end);
    }
  }

  // Nothing is held for any job: what is charged is idle slabs and residents that nobody uses.
  void check_all_returned() {
    for (const SpaceStatus& space : prover().snapshot().spaces) {
      Bytes kept = space.idle;
      for (const HoldingStatus& holding : space.holdings) {
        INFO(space.name << ": " << holding.purpose << " of " << holding.owner.text());
        CHECK(holding.owner.job.empty());
        if (holding.purpose == "kept for critical work") kept += holding.reserved;
      }
      for (const ResidentStatus& resident : space.residents) {
        INFO(space.name << ": " << resident.id);
        CHECK(resident.users == 0);
        kept += resident.bytes;
      }
      CHECK(space.waiting.empty());
      CHECK(space.used == kept);
    }
    for (const DeviceStatus& device : prover().devices()) CHECK(device.in_use == 0);
  }

  MemoryLog log;
  SteadyClock clock;
  SeededRandom random;
  Result<std::unique_ptr<Prover>> opened;
};

inline ProveRequest request(std::uint64_t partitions = 1, std::uint64_t count = 20000) {
  ProveRequest out;
  out.family = "toy";
  out.fields = {{"seed", 7, {}}, {"partitions", partitions, {}}, {"count", count, {}}};
  out.params_dir = "/nowhere";
  return out;
}

// [plugin.ID] with a script.
inline std::string script(const std::string& id, const std::vector<std::string>& lines, const std::string& more = "") {
  std::string out = "[plugin." + id + "]\nscript = [";
  for (const auto& line : lines) out += "\"" + line + "\", ";
  return out + "]\n" + more + "\n";
}

}  // namespace toy
