// A bridge on a small memory, and what it tells of plugins.
#pragma once

#include <pinion/host.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <pinion/host/bridge/call.hpp>
#include <pinion/host/bridge/host_table.hpp>
#include <vector>

namespace bridge_test {

using namespace pinion::host;

class HeapSource final : public SlabSource {
 public:
  SlabSourceInfo describe() const override { return {"test heap", SlabKind::pageable, Bytes(4096), Bytes()}; }
  Result<void*> allocate(Bytes bytes, const Placement&) override { return std::aligned_alloc(4096, bytes.count()); }
  Status release(void* slab, Bytes) noexcept override {
    std::free(slab);
    return {};
  }
};

class Listener final : public ProgressListener {
 public:
  void progress(const Owner& owner, std::uint64_t done, std::uint64_t total) noexcept override {
    last = owner.text() + " " + std::to_string(done) + "/" + std::to_string(total);
  }
  std::string last;
};

class CountingRandom final : public RandomSource {
 public:
  Status fill(const Owner&, std::span<std::uint8_t> out) override {
    for (auto& byte : out) byte = next++;
    return {};
  }
  std::uint8_t next = 1;
};

// One host space of 1 MiB, two devices of 64 KiB.
struct Fixture {
  SteadyClock clock;
  MemoryLog log;
  Memory memory{{},
                {{SpaceId::host(), mib(1), {std::make_shared<HeapSource>()}},
                 {SpaceId::device(3), kib(64), {}},
                 {SpaceId::device(4), kib(64), {}}},
                clock,
                log};
  Spans spans{clock};
  ThreadPool threads{2};
  CountingRandom random;
  Metrics metrics;
  Listener listener;
  Bridge bridge{{threads, memory, spans, random, log, metrics, listener}};
  std::stop_source stop;
  const Owner owner{"job 1", 2, "some-plugin"};

  // A call of a backend whose device 0 is the host's device 3.
  std::unique_ptr<PluginCall> call(SpanId parent = {}) {
    return bridge.make_call({owner, 3, 2, stop.get_token(), parent, 0, {}});
  }
  std::uint64_t leaks() {
    return metrics.counter("pinion_plugin_leaks_total", "", {{"plugin", "some-plugin"}}).value();
  }
};

inline pinion_error error() {
  pinion_error err{};
  err.size = sizeof err;
  return err;
}

}  // namespace bridge_test
