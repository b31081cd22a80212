// toy-pinned: memory that calls itself pinned, up to a limit; for routes, fallbacks and refusals. With `keeps` it gives
// no more than a page back, as a driver that lost its device; with `absent` it finds none. Its script knows the stages
// allocate, where a flip gives the last slab once more, and release; a slab whose release fails is kept.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <pinion/plugin.hpp>
#include <vector>

#include "script.hpp"

namespace {

class ToyPinned final : public pinion::Allocator {
 public:
  ToyPinned(pinion::Host host, const pinion::Options& options)
      : script_(host, options.list("script")), limit_(options.bytes("limit")), keeps_(options.flag("keeps")) {
    if (options.flag("absent")) throw pinion::Error(PINION_UNSUPPORTED, "there is no toy device; plug one in");
  }
  pinion_allocator_info describe_allocator() const noexcept override {
    return {.size = sizeof(pinion_allocator_info),
            .kind = PINION_MEMORY_PINNED,
            .granularity = 4096,
            .alignment = 4096,
            .max_slab = 0,
            .slow = 1,
            .reserved = 0};
  }
  void* allocate(std::uint64_t bytes, const pinion_placement&) override {
    if (bytes > limit_)
      throw pinion::Error(PINION_OUT_OF_MEMORY, std::to_string(bytes) + " bytes of pinned memory: the limit is " +
                                                    std::to_string(limit_) + "; raise [plugin.toy-pinned] limit");
    if (script_.act("allocate", nullptr)) return last_;
    return last_ = std::aligned_alloc(4096, bytes);
  }
  void release(void* slab, std::uint64_t) noexcept override { std::free(slab); }
  void try_release(void* slab, std::uint64_t bytes) override {
    try {
      script_.act("release", nullptr);
      if (keeps_ && bytes > 4096) throw pinion::Error(PINION_DEVICE_LOST, "toy device 0 is lost and keeps its pages");
    } catch (const pinion::Error&) {
      const std::lock_guard lock(mutex_);
      kept_.emplace_back(slab, &std::free);
      throw;
    }
    release(slab, bytes);
  }

 private:
  toy::Script script_;
  std::uint64_t limit_;
  bool keeps_;
  std::atomic<void*> last_{nullptr};
  std::mutex mutex_;
  std::vector<std::unique_ptr<void, void (*)(void*)>> kept_;  // until the process ends, or nearly
};

constexpr pinion_option_info script{sizeof(pinion_option_info),
                                    PINION_OPTION_LIST,
                                    "script",
                                    "",
                                    "What to do beside the work; see script.hpp.",
                                    nullptr};
constexpr pinion_option_info limit{
    sizeof(pinion_option_info), PINION_OPTION_SIZE, "limit", "1GiB", "Of one slab.", nullptr};
constexpr pinion_option_info keeps{
    sizeof(pinion_option_info), PINION_OPTION_BOOL, "keeps", "false", "Gives back a page at most.", nullptr};
constexpr pinion_option_info absent{
    sizeof(pinion_option_info), PINION_OPTION_BOOL, "absent", "false", "Finds no device.", nullptr};
constexpr const pinion_option_info* options[] = {&script, &limit, &keeps, &absent};

}  // namespace

PINION_PLUGIN(ToyPinned, .id = PINION_PLUGIN_ID, .name = "Toy pinned memory", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT", .description = "Calls itself pinned, for the host's tests.",
              .options = options, .option_count = 4)
