// What a prover is built of, in the order of construction. Private to prover*.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <pinion/host/bridge/call.hpp>
#include <pinion/host/memory/memory.hpp>
#include <pinion/host/pipeline/alternatives.hpp>
#include <pinion/host/pipeline/pipeline.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <thread>

namespace pinion::host {

// The host's budget and what of it is kept for critical claims.
struct HostMemory {
  Bytes budget, reserve;
  std::string source;  // of the budget
};

// In the order of construction; what is built later is gone earlier.
struct Prover::Parts {
  Parts(const ProverSetup& setup, Catalog catalog, Registry registry, const HostMemory& host_memory, unsigned threads,
        Log& log, const Clock& clock, RandomSource& random);

  // Plugins that are found and offer the interface, without those in `used`: what may help who misses something.
  std::vector<std::string> unused(std::string_view interface, const std::vector<std::string>& used) const;
  unsigned max_synthesis() const;
  // invalid_config, with every reason of every configuration.
  Status open_alternatives(const ProverSetup& setup, HostTableMaker& hosts);
  // Work begins once routes are known.
  void begin();
  // What is made ready in the background: kinds that are to be loaded, then slabs.
  void prepare(const std::stop_token& stop);
  // See Prover::preload. `drops`: it may evict what is idle, and wait; else it takes what is free.
  Status preload(const std::string& id, const std::string& params_dir, const std::stop_token& stop, ProgressFn fn,
                 bool drops);

  struct OwnedKind {
    const LoadedProof* loaded;
    const Kind* kind;
  };
  // invalid_input: there is no such kind; names those there are.
  Result<OwnedKind> kind_named(const std::string& id) const;

  // What the configuration says of every request.
  void complete(ProveRequest& request) const {
    request.allow_test_keys = request.allow_test_keys || *config.params.allow_test_keys;
    request.verify_digests = *config.params.verify_digests;
  }

  std::string next_id(const char* what) { return fmt::format("{}-{}", what, ++last_id); }

  const LoadedProof* owner_of(const Kind& kind) const {
    for (const LoadedProof& loaded : registry.proofs())
      for (const Kind& own : loaded.proof->kinds())
        if (&own == &kind) return &loaded;
    return nullptr;
  }

  // Runs f(call) as a job of its own on the caller's thread: with progress, spans and a place in the status.
  template <class F>
  Status with_call(const char* what, const std::string& plugin, std::stop_token stop, ProgressFn fn, F&& f) {
    const Owner owner{next_id(what), std::nullopt, plugin};
    progress.add(owner.job, std::move(fn));
    progress.opened(owner.job, what, PINION_PRIORITY_NORMAL, {});
    Status status;
    {
      const Span span = spans.open(what, owner);
      const auto call = bridge.make_call({owner, 0, 0, std::move(stop), span.id(), 0, {}});
      progress.stage(owner, what);
      status = f(call->table());
    }
    progress.finished(owner.job, status);
    return status;
  }

  Config config;
  Log& log;
  const Clock& clock;
  Catalog catalog;
  Metrics metrics;
  Registry registry;
  Devices devices;
  Routes routes;
  Memory memory;
  Spans spans;
  ThreadPool threads;
  ProgressBoard progress;
  Bridge bridge;
  Slots synthesis;
  Admission admission;
  StageHost stages;
  std::vector<Alternative> alternatives;  // the configuration itself first
  std::size_t current = 0;                // which of them
  std::vector<std::string> warnings;
  std::string budget_source;
  std::atomic<std::uint64_t> last_id{0};
  std::optional<Pipeline> pipeline;
  mutable std::mutex not_prepared_mutex;
  std::vector<std::string> not_prepared;  // why
  std::atomic<bool> ready{true};
  std::jthread preparer;  // last: what it works on outlives it
};

}  // namespace pinion::host
