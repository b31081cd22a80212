// The ways to make a slab that stays in memory:
//   register     map, touch in parallel on the device's node, then have the driver lock the pages (cuMemHostRegister)
//   host-alloc   let the driver do all of it (cuMemHostAlloc): simpler, several times slower
//   mlock        map, touch, mlock: for tests of everything but the device's own reads, since no device knows of it
#pragma once

#include <pinion/allocator.h>

#include <memory>
#include <pinion/plugin/call.hpp>
#include <string>

#include "mapping.hpp"
#include "nodes.hpp"

namespace pinned {

struct StrategySettings {
  std::string name;  // one of those above
  HugePages huge = HugePages::transparent;
  std::string device;  // see Devices
  std::string driver;  // see Driver
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // `bytes` is a positive multiple of the granularity. Throws OUT_OF_MEMORY with what stood against it, UNSUPPORTED for
  // a device that is not there; nothing is kept then. [any]
  virtual void* make(std::size_t bytes, const pinion_placement& placement) = 0;
  // Throws DEVICE_LOST when a driver keeps the pages until the process ends; the slab stays as it is then. [any]
  virtual void drop(void* slab, std::size_t bytes) = 0;
};

// INVALID_CONFIG: what it needs is not on this machine. `nodes` outlives it.
std::unique_ptr<Strategy> make_strategy(const StrategySettings& settings, const Nodes& nodes, const pinion::Host& host);

}  // namespace pinned
