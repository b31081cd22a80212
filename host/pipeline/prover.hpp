// A whole host in one object: configuration in, proofs out. Finds and loads the plugins, builds memory, bridge and
// pipeline on them, and offers what the command line and the daemon stand on. Holds no sockets and reads no files but
// plugins and what plugins read.
#pragma once

#include <filesystem>
#include <memory>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/bridge/random.hpp>
#include <pinion/host/config/config.hpp>
#include <pinion/host/memory/claim.hpp>
#include <pinion/host/pipeline/devices.hpp>
#include <pinion/host/pipeline/request.hpp>
#include <pinion/host/pipeline/routes.hpp>
#include <pinion/host/plugins/extras.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <pinion/host/plugins/search.hpp>
#include <pinion/host/report/log.hpp>
#include <pinion/host/report/snapshot.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace pinion::host {

struct ProverSetup {
  Config config;
  // Configurations that Prover::use can switch to. Of each only the allocators with their options, the order of
  // backends, require_dma and job_format are looked at; the rest is `config`'s.
  std::vector<Config> alternatives;
  std::vector<std::filesystem::path> plugin_paths;  // --plugin-path: folders, or single manifests
  bool backends = true;                             // false: only checks and keys are wanted, no device is opened
  std::size_t spans = std::size_t{1} << 16;         // how many finished spans are kept
  std::string machine_root;                         // see config/machine.hpp; "" in production
  std::stop_token stop;                             // ends the wait for memory, and the start with it
};

class Prover {
 public:
  // Fails with invalid_config and every reason at once; cancelled: stopped while it waited for memory. The log, clock
  // and source of randomness outlive the prover; the program gives OsRandom, only tests state the bytes. [main]
  static Result<std::unique_ptr<Prover>> open(const ProverSetup& setup, Log& log, const Clock& clock,
                                              RandomSource& random);
  ~Prover();
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  // Proves and verifies; returns when it is done. invalid_input: the request; proof_invalid: no attempt gave a proof
  // that verifies; cancelled: `stop` was requested. Several may run at once. [any]
  Result<ProveResult> prove(ProveRequest request, std::stop_token stop = {}, const ProgressFn& progress = {});

  // Switches to a configuration of the setup: 0 is `config`, then the alternatives. Memory, residents and devices stay;
  // the idle slabs of the pool go back to the OS. No job is running. Returns the bytes of these. [main]
  Bytes use(std::size_t configuration);
  // The allocators in use, the preferred one first. [main]
  const std::vector<std::shared_ptr<AllocatorPlugin>>& allocators() const;

  // Bytes of host memory the caller makes himself and keeps while jobs run. Waits for the jobs that would not fit
  // beside them; those that come later are refused. Fails as Memory::claim. [any]
  Result<Reservation> reserve(const Owner& owner, Bytes bytes, const std::string& purpose);

  // Checks a proof made anywhere against a request, in turn with the jobs. proof_invalid: it does not verify. [any]
  Status verify(ProveRequest request, std::span<const std::uint8_t> proof, std::stop_token stop = {});

  // All kinds of all proof plugins.
  std::vector<const Kind*> kinds() const;
  // invalid_input: no proof plugin here has this family; names those there are. [any]
  Status check_family(const std::string& family) const;
  // The kind of a family for a sector size. invalid_input: there is none; names those there are. [any]
  Result<const Kind*> find_kind(const std::string& family, Bytes sector) const;
  const std::vector<RouteLine>& routes() const;
  // What an operator should know from the start: staged copies, ineligible devices, shadowed plugins.
  const std::vector<std::string>& warnings() const;

  // Parameter files of a kind; see KeysPlugin. `dir` exists. [any]
  Status generate_keys(const Kind& kind, const std::filesystem::path& dir, const std::string& toxic_label,
                       const FactFn& fact, std::stop_token stop = {}, const ProgressFn& progress = {});
  Status check_keys(const Kind& kind, const std::filesystem::path& dir, const FactFn& fact, std::stop_token stop = {},
                    const ProgressFn& progress = {});
  // Asks each proof plugin in turn. invalid_input: no plugin knows this file; what each of them says. [any]
  Status describe_keys(const std::filesystem::path& file, const FactFn& fact);

  // Inputs that ship inside plugins, as requests that lack only their params_dir.
  struct Sample {
    std::string title;
    const Kind* kind;
    ProveRequest request;
  };
  std::vector<Sample> samples() const;
  // Inputs that were never sealed; see SamplesPlugin. unsupported: the kind's plugin makes none. [any]
  Result<std::vector<DeclaredOption>> fake_options(const Kind& kind) const;
  Status fake(const Kind& kind, std::uint64_t seed, const PluginTable& options, const std::filesystem::path& dir,
              const FactFn& fact, std::stop_token stop = {}, const ProgressFn& progress = {});

  // What each plugin finds of the things it depends on. [main]
  struct Health {
    std::string plugin;
    std::vector<HealthFinding> findings;
  };
  std::vector<Health> health() const;

  const Registry& registry() const;
  const Catalog& catalog() const;
  // Memory, jobs and plugins at one instant. [any]
  Snapshot snapshot() const;
  // Charged in the host's space, without a lock: for samplers. [any]
  Bytes memory_used() const noexcept;
  // What was done when, as report/trace.hpp writes it. [any]
  std::string trace() const;
  // Counters and gauges of everything. [any]
  std::vector<MetricSample> metrics() const;
  std::vector<DeviceStatus> devices() const;

  // Loads what every request of a kind needs (shapes, keys), on every device that would prove it first, and leaves it
  // idle: a job finds it there. `params_dir`: "" for [params] dir. Gives way to jobs of a higher priority.
  // invalid_input: no such kind; unsupported: its plugin cannot say what that is, or no device proves it; else fails as
  // Memory::claim. [any]
  Status preload(const std::string& kind, const std::string& params_dir = {}, const std::stop_token& stop = {},
                 const ProgressFn& progress = {});
  // Drops what is idle in a space until `wanted` bytes are back, or one resident by its id; see Memory::evict. [any]
  Bytes evict(SpaceId space, Bytes wanted);
  Result<Bytes> evict(SpaceId space, const std::string& resident_id);

 private:
  struct Parts;
  explicit Prover(std::unique_ptr<Parts> parts);
  void add_notes(Snapshot& snapshot) const;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pinion::host
