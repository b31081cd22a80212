// Which device a slab is locked through, and the context it takes. A context is made on a device only when a slab for
// that device is asked for; the current context of the calling thread is the same before and after.
#pragma once

#include <pinion/allocator.h>

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "driver.hpp"

namespace pinned {

struct Device {
  int handle = 0;
  int ordinal = 0;
  Uuid uuid{};
  std::string name;
  std::string address;  // "0000:41:00.0"
  int node = -1;        // NUMA node it is attached to; -1: unknown

  std::string label() const;  // "device 0 (NVIDIA H200, GPU-…, 0000:41:00.0)"
};

std::string uuid_text(const Uuid& uuid);  // "GPU-8f1c…"

// The NUMA node of a PCI address, in either case of letters; -1: the machine has one, or does not say. `root`: "" but
// in tests. [any]
int node_of(std::string address, const std::string& root = "");

class Devices {
 public:
  // `wanted` is the device for slabs that no device is named for: "auto", an ordinal, a UUID or a PCI address.
  // INVALID_CONFIG: no such device; names those there are. `driver` outlives this.
  Devices(const Driver& driver, const std::string& wanted);
  ~Devices();
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  const std::vector<Device>& all() const noexcept { return devices_; }

  // The one that `placement` names; without a name the wanted one, or with "auto" one that already has a context, else
  // the first. In place of one that is lost any other: memory that one device's context locked is known to all.
  // UNSUPPORTED: it names one that the driver does not show. OUT_OF_MEMORY, so that a fallback is taken where one is
  // allowed: every one is lost. [any]
  const Device& choose(const pinion_placement& placement);

  // The device's context died with a fault of its work: nothing is locked through it any more. [any]
  void lose(const Device& device);

  // Runs f() with the device's primary context current. [any]
  template <class F>
  auto within(const Device& device, F&& f) {
    const Current current(*this, device);
    return f();
  }

 private:
  class Current {
   public:
    Current(Devices& devices, const Device& device);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    const Driver& driver_;
  };

  // The one that `placement` names, else the wanted one; nullptr: neither is named.
  const Device* named(const pinion_placement& placement) const;
  void* context(const Device& device);
  bool lost(const Device& device);
  std::string listed() const;

  const Driver& driver_;
  std::vector<Device> devices_;
  const Device* wanted_ = nullptr;
  std::mutex mutex_;
  std::map<int, void*> contexts_;  // by device handle: retained once, until the end
  std::set<int> lost_;             // device handles
};

}  // namespace pinned
