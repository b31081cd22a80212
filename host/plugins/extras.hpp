// The optional tables, for the commands that stand on them: parameter files, sample inputs, health. A plugin that lacks
// one does not offer the command; the host knows nothing else of them.
#pragma once

#include <pinion/health.h>
#include <pinion/keys.h>
#include <pinion/sample.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <pinion/host/config/plugin_options.hpp>
#include <pinion/host/plugins/calls.hpp>
#include <pinion/host/plugins/proof.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// Takes a fact as it is found: a short stable key and what a person reads.
using FactFn = std::function<void(const std::string& key, const std::string& value)>;

// pinion.keys/1. Each fails with unsupported when the plugin lacks the table.
class KeysPlugin {
 public:
  static Result<KeysPlugin> open(std::shared_ptr<Instance> instance);

  // `toxic_label`: empty to draw the toxic waste and forget it. invalid_input: something stands in the way. [worker]
  Status generate(const Kind& kind, const std::filesystem::path& dir, const std::string& toxic_label,
                  const pinion_call* call, const FactFn& fact) const;
  // invalid_config: missing, short or altered; unsupported: sound, but not the published files. [worker]
  Status check(const Kind& kind, const std::filesystem::path& dir, const pinion_call* call, const FactFn& fact) const;
  // unsupported: not a file of this plugin. [worker]
  Status describe(const std::filesystem::path& file, const FactFn& fact) const;

 private:
  KeysPlugin(std::shared_ptr<Instance> instance, const pinion_keys& table)
      : instance_(std::move(instance)), table_(table) {}
  std::shared_ptr<Instance> instance_;
  pinion_keys table_;
};

// An input that ships inside a plugin. Bytes are the plugin's, static.
struct SampleInput {
  std::string title;
  const Kind* kind = nullptr;
  std::vector<pinion_part> parts;
  std::vector<pinion_field> fields;
};

// pinion.sample/1
class SamplesPlugin {
 public:
  static Result<SamplesPlugin> open(std::shared_ptr<ProofPlugin> proof);

  std::vector<SampleInput> list() const;
  // What `fake` can be told of a kind. [any]
  Result<std::vector<DeclaredOption>> fake_options(const Kind& kind) const;
  // Writes a valid input into the empty folder `dir`. `chosen`: values of some of its options, in plain text.
  // invalid_input: they are not what it declares; unsupported: why this kind cannot be faked. [worker]
  Status fake(const Kind& kind, std::uint64_t seed, const PluginTable& chosen, const std::filesystem::path& dir,
              const pinion_call* call, const FactFn& fact) const;

 private:
  SamplesPlugin(std::shared_ptr<ProofPlugin> proof, const pinion_samples& table)
      : proof_(std::move(proof)), table_(table) {}
  std::optional<SampleInput> read_sample(const pinion_sample* raw) const;
  std::shared_ptr<ProofPlugin> proof_;
  pinion_samples table_;
};

struct HealthFinding {
  std::int32_t level = 0;  // PINION_HEALTH_
  std::string what, found, fix;
};

// What a plugin finds of the things it depends on; nothing when it has no pinion.health/1. [main]
Result<std::vector<HealthFinding>> examine_health(const Instance& instance);

}  // namespace pinion::host
