// alloc-heap: slabs of ordinary memory. Each slab is a mapping of its own, so that giving it up really returns it to
// the OS, which malloc promises for no size.
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <pinion/plugin.hpp>
#include <string>

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

class Heap final : public pinion::Allocator {
 public:
  Heap(pinion::Host host, const pinion::Options& options) : host_(host), huge_(options.flag("huge_pages")) {}

  pinion_allocator_info describe_allocator() const noexcept override {
    return {.size = sizeof(pinion_allocator_info),
            .kind = PINION_MEMORY_PAGEABLE,
            .granularity = page,
            .alignment = page,
            .max_slab = 0,
            .slow = 0,
            .reserved = 0};
  }

  void* allocate(std::uint64_t bytes, const pinion_placement& placement) override {
    if (placement.numa_node >= 0 && !told_.exchange(true))
      host_.info("does not place slabs: the kernel puts pages on the node of the thread that first writes them");
    void* slab = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED)
      throw pinion::Error(PINION_OUT_OF_MEMORY,
                          "mmap of " + std::to_string(bytes) + " bytes of ordinary memory: " + std::strerror(errno) +
                              "; lower [memory] budget, or raise the limit that stands against it (ulimit -v, "
                              "vm.overcommit_memory, vm.max_map_count)",
                          errno);
    // Best effort: fewer page faults and TLB misses; a kernel without huge pages serves small ones.
    if (huge_ && bytes >= huge_page) ::madvise(slab, bytes, MADV_HUGEPAGE);
    return slab;
  }

  void release(void* slab, std::uint64_t bytes) noexcept override { ::munmap(slab, bytes); }

 private:
  pinion::Host host_;
  bool huge_;
  std::atomic<bool> told_{false};
};

constexpr pinion_option_info huge_pages{sizeof(pinion_option_info),
                                        PINION_OPTION_BOOL,
                                        "huge_pages",
                                        "true",
                                        "Ask the kernel for huge pages in slabs of at least 2 MiB.",
                                        nullptr};
constexpr const pinion_option_info* options[] = {&huge_pages};

}  // namespace

PINION_PLUGIN(Heap, .id = PINION_PLUGIN_ID, .name = "Heap allocator", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT",
              .description = "Ordinary pageable memory, one mapping a slab. Works everywhere; devices copy from it.",
              .options = options, .option_count = 1)
