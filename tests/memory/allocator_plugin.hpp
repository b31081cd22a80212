// The allocator plugins as an operator configures them, opened through the host's gates; and the driver that stands in
// for CUDA.
#pragma once

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <memory>
#include <pinion/host/bridge/host_table.hpp>
#include <pinion/host/config/load.hpp>
#include <pinion/host/plugins/allocator.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <string>

#include "fake_driver.h"

namespace pinion::host::test {

// The functions of fake_driver.h, of the very library that the plugin opens.
struct FakeDriver {
  explicit FakeDriver(int devices = 2) : library(::dlopen(PINION_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL)) {
    REQUIRE(library != nullptr);
    find("fake_driver_refuse", refuse);
    find("fake_driver_activate", activate);
    find("fake_driver_kill", kill);
    find("fake_driver_retained", retained);
    find("fake_driver_depth", depth);
    find("fake_driver_locked", locked);
    find("fake_driver_device_of", device_of);
    find("fake_driver_declare", declare);
    decltype(&fake_driver_reset) reset = nullptr;
    find("fake_driver_reset", reset);
    reset(devices);
  }

  template <class F>
  void find(const char* name, F& function) {
    function = reinterpret_cast<F>(::dlsym(library, name));
    REQUIRE(function != nullptr);
  }

  void* library;
  decltype(&fake_driver_refuse) refuse = nullptr;
  decltype(&fake_driver_activate) activate = nullptr;
  decltype(&fake_driver_kill) kill = nullptr;
  decltype(&fake_driver_retained) retained = nullptr;
  decltype(&fake_driver_depth) depth = nullptr;
  decltype(&fake_driver_locked) locked = nullptr;
  decltype(&fake_driver_device_of) device_of = nullptr;
  decltype(&fake_driver_declare) declare = nullptr;
};

// `lines` are those of [plugin.ID]; the fake driver is named where the plugin has a driver.
class OpenedAllocator {
 public:
  OpenedAllocator(const std::string& id, const std::string& lines) : hosts_(log) {
    ConfigSources sources;
    sources.file = "test.toml";
    sources.file_text = "[plugin." + id + "]\n" + lines + "\n";
    sources.defaults = {"alloc-heap", {"none"}, {"none"}, "this test"};
    const LoadedConfig loaded = load_config(sources);
    INFO(problems_text(loaded.problems));
    REQUIRE(loaded.ok());
    const Catalog catalog(search_places({PINION_PLUGINS}, {}));
    auto instance = open_instance(catalog, id, loaded.config.plugin_tables, hosts_);
    status_ = instance.status();
    if (!instance.ok()) return;
    auto allocator = AllocatorPlugin::open(*instance);
    status_ = allocator.status();
    if (allocator.ok()) allocator_ = *allocator;
  }

  const Status& status() const noexcept { return status_; }
  AllocatorPlugin& operator*() const {
    INFO(status_.text());
    REQUIRE(allocator_ != nullptr);
    return *allocator_;
  }
  AllocatorPlugin* operator->() const { return &**this; }
  std::shared_ptr<AllocatorPlugin> shared() const { return allocator_; }

  MemoryLog log;

 private:
  HostTables hosts_;
  Status status_;
  std::shared_ptr<AllocatorPlugin> allocator_;
};

inline std::string pinned_options(const std::string& strategy, const std::string& more = "") {
  return "strategy = \"" + strategy + "\"\ndriver = \"" PINION_FAKE_DRIVER "\"\n" + more;
}

inline Placement for_device(unsigned i) {
  Placement placement;
  placement.device_uuid.emplace().fill(static_cast<std::uint8_t>(0x11 * (i + 1)));
  return placement;
}

}  // namespace pinion::host::test
