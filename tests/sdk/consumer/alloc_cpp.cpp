// The same allocator with the C++ wrapper.
#include <cstdlib>
#include <pinion/plugin.hpp>

class CppHeap final : public pinion::Allocator {
 public:
  CppHeap(pinion::Host host, const pinion::Options&) { host.info("made"); }
  pinion_allocator_info describe_allocator() const noexcept override {
    pinion_allocator_info info{};
    info.kind = PINION_MEMORY_PAGEABLE;
    info.granularity = info.alignment = 4096;
    return info;
  }
  void* allocate(std::uint64_t bytes, const pinion_placement&) override {
    if (void* slab = std::aligned_alloc(4096, bytes)) return slab;
    throw pinion::Error(PINION_OUT_OF_MEMORY, "the C heap has no " + std::to_string(bytes) + " bytes");
  }
  void release(void* slab, std::uint64_t) noexcept override { std::free(slab); }
};

PINION_PLUGIN(CppHeap, .id = PINION_PLUGIN_ID, .name = "Allocator in C++", .version = PINION_PLUGIN_VERSION,
              .licence = "MIT", .description = "The C heap.")
