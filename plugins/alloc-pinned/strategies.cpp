#include "strategies.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <pinion/plugin/error.hpp>
#include <set>

#include "devices.hpp"
#include "locked_memory.hpp"

namespace pinned {
namespace {

[[noreturn]] void refuse(const std::string& what, std::size_t bytes, const std::string& why, int native) {
  throw pinion::Error(PINION_OUT_OF_MEMORY,
                      what + " of " + std::to_string(bytes) + " bytes of host memory (not the device's): " + why +
                          "; " + LockedMemory::now().advice() +
                          "; or lower [memory] budget or pinned_max, or allow [plugins] fallback = \"alloc-heap\"",
                      native);
}

// Says once what is worth saying once.
class Once {
 public:
  explicit Once(const pinion::Host& host) : host_(host) {}
  void warn(const std::string& text) {
    if (!said_.exchange(true)) host_.warn(text);
  }

 private:
  pinion::Host host_;
  std::atomic<bool> said_{false};
};

// Memory on the right node; where it is not, that is said once.
class Placed : public Strategy {
 public:
  Placed(const Nodes& nodes, const pinion::Host& host) : nodes_(nodes), unplaced_(host) {}

 protected:
  const Nodes& nodes() const noexcept { return nodes_; }
  void check(bool placed, int node) {
    if (!placed)
      unplaced_.warn("memory for NUMA node " + std::to_string(node) +
                     " does not lie there (the kernel refuses: a container without CAP_SYS_NICE? or the node is "
                     "full): slabs lie where it puts them, and copies may be slower");
  }

 private:
  const Nodes& nodes_;
  Once unplaced_;
};

// What register and mlock share: memory that exists.
class Mapped : public Placed {
 public:
  Mapped(HugePages huge, const Nodes& nodes, const pinion::Host& host) : Placed(nodes, host), huge_(huge) {}

 protected:
  void touch(const Mapping& mapping, int node) { check(nodes().touch(mapping.data(), mapping.bytes(), node), node); }
  HugePages huge() const noexcept { return huge_; }

 private:
  const HugePages huge_;
};

class Mlocked final : public Mapped {
 public:
  using Mapped::Mapped;

  void* make(std::size_t bytes, const pinion_placement& placement) override {
    const LockedMemory locked = LockedMemory::now();
    if (!locked.allows(bytes)) refuse("mlock", bytes, std::strerror(ENOMEM), ENOMEM);
    Mapping mapping(bytes, huge());
    touch(mapping, placement.numa_node);
    if (::mlock(mapping.data(), bytes) != 0) refuse("mlock", bytes, std::strerror(errno), errno);
    return mapping.give_up();
  }
  void drop(void* slab, std::size_t bytes) override { Mapping::unmap(slab, bytes); }  // and so unlocked
};

// The driver, its devices, and through which of them each slab was locked: it is unlocked in the same context.
class Gpu {
 public:
  Gpu(const StrategySettings& settings, const pinion::Host& host)
      : host_(host), driver_(settings.driver), devices_(driver_, settings.device) {}

  const Device& choose(const pinion_placement& placement) { return devices_.choose(placement); }
  static int node(const Device& device, const pinion_placement& placement) {
    return placement.numa_node >= 0 ? placement.numa_node : device.node;
  }

  // f(driver) locks a slab at *slab and returns the driver's code; a refusal is OUT_OF_MEMORY in words. A device found
  // dead is passed over.
  template <class F>
  void lock(const char* what, const pinion_placement& placement, std::size_t bytes, void* const* slab, F&& f) {
    for (;;) {
      const Device& device = devices_.choose(placement);
      const int code = devices_.within(device, [&] { return f(driver_); });
      if (code == cuda_success) return keep(*slab, device);
      if (!kills_context(code))
        refuse(std::string(what) + " for " + device.label(), bytes, driver_.error_text(code), code);
      devices_.lose(device);
      report_dead(device, code);
    }
  }
  // f(driver) undoes lock() and returns the driver's code. Throws DEVICE_LOST when it did not: the driver keeps the
  // pages.
  template <class F>
  void unlock(const char* what, void* slab, F&& f) {
    const Device& device = forget(slab);  // before: then another thread may be given the same address
    int code = cuda_success;
    std::string why;
    try {
      code = devices_.within(device, [&] { return f(driver_); });
      if (code == cuda_success) return;
      why = driver_.error_text(code);
    } catch (const pinion::Error& error) {  // its context cannot be made current
      code = error.native_code();
      why = error.what();
    }
    keep(slab, device);
    if (kills_context(code)) report_dead(device, code);
    throw pinion::Error(PINION_DEVICE_LOST,
                        "locked through " + device.label() + ", " + what + ": " + why +
                            "; the driver keeps these pages until the process ends",
                        code);
  }

 private:
  void keep(void* slab, const Device& device) {
    const std::lock_guard lock(mutex_);
    locked_through_.emplace(slab, &device);
  }
  // Once for a device that slabs are locked through.
  void report_dead(const Device& device, int code) {
    {
      const std::lock_guard lock(mutex_);
      if (!reported_.insert(device.handle).second) return;
    }
    host_.error(device.label() + ": a context is dead, " + driver_.error_text(code) +
                ": what is locked through it comes back to the system when this process ends");
  }
  // The device that it was locked through.
  const Device& forget(void* slab) {
    const std::lock_guard lock(mutex_);
    const auto at = locked_through_.find(slab);
    if (at == locked_through_.end()) throw pinion::Error(PINION_INTERNAL, "a slab was released that was never made");
    const Device& device = *at->second;
    locked_through_.erase(at);
    return device;
  }

  pinion::Host host_;
  Driver driver_;
  Devices devices_;
  std::mutex mutex_;
  std::map<void*, const Device*> locked_through_;
  std::set<int> reported_;  // device handles
};

class Registered final : public Mapped {
 public:
  Registered(const StrategySettings& settings, const Nodes& nodes, const pinion::Host& host)
      : Mapped(settings.huge, nodes, host), gpu_(settings, host) {}

  void* make(std::size_t bytes, const pinion_placement& placement) override {
    const Device& device = gpu_.choose(placement);
    Mapping mapping(bytes, huge());
    touch(mapping, Gpu::node(device, placement));
    void* const slab = mapping.data();
    gpu_.lock("cuMemHostRegister", placement, bytes, &slab,
              [&](Driver& driver) { return driver.host_register(slab, bytes, portable); });
    return mapping.give_up();
  }

  void drop(void* slab, std::size_t bytes) override {
    gpu_.unlock("cuMemHostUnregister", slab, [&](Driver& driver) { return driver.host_unregister(slab); });
    Mapping::unmap(slab, bytes);
  }

 private:
  Gpu gpu_;
};

class HostAllocated final : public Placed {
 public:
  HostAllocated(const StrategySettings& settings, const Nodes& nodes, const pinion::Host& host)
      : Placed(nodes, host), gpu_(settings, host) {}

  void* make(std::size_t bytes, const pinion_placement& placement) override {
    const Device& device = gpu_.choose(placement);
    void* slab = nullptr;
    // The driver takes pages for the calling thread, by that thread's policy.
    const int node = Gpu::node(device, placement);
    nodes().on(node, [&] {
      gpu_.lock("cuMemHostAlloc", placement, bytes, &slab,
                [&](Driver& driver) { return driver.host_alloc(&slab, bytes, portable); });
    });
    check(nodes().lie_on(slab, bytes, node), node);
    return slab;
  }

  void drop(void* slab, std::size_t) override {
    gpu_.unlock("cuMemFreeHost", slab, [&](Driver& driver) { return driver.host_free(slab); });
  }

 private:
  Gpu gpu_;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(const StrategySettings& settings, const Nodes& nodes,
                                        const pinion::Host& host) {
  if (settings.name == "register") return std::make_unique<Registered>(settings, nodes, host);
  if (settings.name == "host-alloc") return std::make_unique<HostAllocated>(settings, nodes, host);
  host.warn("strategy = \"mlock\": slabs stay in memory, but no device knows of it and copies to devices are staged");
  return std::make_unique<Mlocked>(settings.huge, nodes, host);
}

}  // namespace pinned
