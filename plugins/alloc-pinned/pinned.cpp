// alloc-pinned: page-locked slabs, which devices read and write directly. Makes and frees them, nothing else: pooling
// and limits are the host's.
#include <algorithm>
#include <array>
#include <fstream>
#include <pinion/plugin.hpp>
#include <string>

#include "devices.hpp"
#include "locked_memory.hpp"
#include "strategies.hpp"

namespace {

using namespace pinned;

constexpr std::uint64_t largest = std::uint64_t{64} << 30;  // one registration of 512 GiB fails in newer drivers
constexpr std::int64_t most_threads = 256;

HugePages huge_pages_of(const std::string& text) {
  if (text == "explicit") return HugePages::explicit_pool;
  return text == "off" ? HugePages::off : HugePages::transparent;
}

unsigned threads_of(std::int64_t wanted) {
  if (wanted < 0 || wanted > most_threads)
    throw pinion::Error(PINION_INVALID_CONFIG, "touch_threads = " + std::to_string(wanted) + ": expected 0 to " +
                                                   std::to_string(most_threads));
  return static_cast<unsigned>(wanted);
}

class Pinned final : public pinion::Allocator, public pinion::Health {
 public:
  Pinned(pinion::Host host, const pinion::Options& options)
      : settings_{options.text("strategy"), huge_pages_of(options.text("huge_pages")), options.text("device"),
                  options.text("driver")},
        host_(host),
        nodes_(threads_of(options.integer("touch_threads"))),
        strategy_(make_strategy(settings_, nodes_, host)) {}

  pinion_allocator_info describe_allocator() const noexcept override {
    const bool pool = settings_.huge == HugePages::explicit_pool && settings_.name != "host-alloc";
    return {.size = sizeof(pinion_allocator_info),
            .kind = PINION_MEMORY_PINNED,
            .granularity = pool ? huge_page : small_page,
            .alignment = small_page,
            .max_slab = largest,
            .slow = 1,
            .reserved = 0};
  }

  void* allocate(std::uint64_t bytes, const pinion_placement& placement) override {
    return strategy_->make(bytes, placement);
  }
  void try_release(void* slab, std::uint64_t bytes) override { strategy_->drop(slab, bytes); }
  // For hosts that cannot be told; what stays then is lost to them, and said.
  void release(void* slab, std::uint64_t bytes) noexcept override {
    try {
      strategy_->drop(slab, bytes);
    } catch (const std::exception& error) {
      host_.error(error.what());
    }
  }

  void examine(const pinion::HealthSink& findings) override {
    const LockedMemory locked = LockedMemory::now();
    const bool tight = locked.limit && *locked.limit < largest && settings_.name == "mlock";
    findings(tight ? PINION_HEALTH_WARN : PINION_HEALTH_PASS, "locked memory", locked.advice(),
             tight ? "raise RLIMIT_MEMLOCK" : "");
    if (settings_.name != "mlock") examine_devices(findings);
    if (settings_.huge == HugePages::explicit_pool) examine_huge_pages(findings);
  }

 private:
  void examine_devices(const pinion::HealthSink& findings) const {
    try {
      const Driver driver(settings_.driver);
      const Devices devices(driver, settings_.device);
      for (const Device& device : devices.all())
        findings(PINION_HEALTH_PASS, "page-locking for", device.label() + ", NUMA node " + std::to_string(device.node));
    } catch (const pinion::Error& error) {
      findings(PINION_HEALTH_FAIL, "CUDA driver", error.what());
    }
  }

  static void examine_huge_pages(const pinion::HealthSink& findings) {
    std::uint64_t free = 0;
    std::ifstream("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages") >> free;
    findings(free == 0 ? PINION_HEALTH_FAIL : PINION_HEALTH_PASS, "huge page pool",
             std::to_string(free) + " pages of 2 MiB free", free == 0 ? "raise vm.nr_hugepages" : "");
  }

  const StrategySettings settings_;
  const pinion::Host host_;
  const Nodes nodes_;
  const std::unique_ptr<Strategy> strategy_;
};

constexpr pinion_option_info text_option(const char* key, const char* value, const char* help,
                                         const char* choices = nullptr) {
  return {sizeof(pinion_option_info), PINION_OPTION_TEXT, key, value, help, choices};
}

constexpr pinion_option_info strategy =
    text_option("strategy", "register",
                "register: map, touch in parallel, lock; host-alloc: the driver does it; mlock: without a device.",
                "register|host-alloc|mlock");
constexpr pinion_option_info huge_pages =
    text_option("huge_pages", "transparent",
                "transparent: ask the kernel; explicit: take from the reserved pool (vm.nr_hugepages); off: never.",
                "transparent|explicit|off");
constexpr pinion_option_info device = text_option(
    "device", "auto",
    "For slabs that no device is named for: ordinal, UUID or PCI address; auto: one in use, else the first.");
constexpr pinion_option_info driver = text_option("driver", "libcuda.so.1", "The CUDA driver's library.");
constexpr pinion_option_info touch_threads{sizeof(pinion_option_info),
                                           PINION_OPTION_INTEGER,
                                           "touch_threads",
                                           "0",
                                           "Threads that touch a new slab; 0: as many as its node has, at most 16.",
                                           nullptr};
constexpr const pinion_option_info* options[] = {&strategy, &huge_pages, &device, &driver, &touch_threads};

}  // namespace

PINION_PLUGIN(Pinned, .id = PINION_PLUGIN_ID, .name = "Page-locked allocator", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT",
              .description =
                  "Page-locked memory on the NUMA node of the device that reads it: copies run at the "
                  "link's full rate.",
              .options = options, .option_count = 5)
