// A plugin that breaks the oldest rule: exceptions leave its C functions.
#include <pinion/allocator.h>
#include <pinion/plugin.h>

#include <stdexcept>

namespace {

pinion_status create(const pinion_host*, const pinion_option*, uint32_t, void**, pinion_error*) {
  throw std::runtime_error("thrown across the border");
}

constexpr const char* interfaces[] = {PINION_ALLOCATOR};
constexpr pinion_plugin_info info = {sizeof(pinion_plugin_info),
                                     1,
                                     0,
                                     0,
                                     PINION_PLUGIN_ID,
                                     "Thrower",
                                     PINION_PLUGIN_VERSION,
                                     "Apache-2.0 OR MIT",
                                     "Built for the loader's tests.",
                                     interfaces,
                                     nullptr};

}  // namespace

extern "C" PINION_EXPORT constexpr pinion_plugin_entry pinion_plugin = {
    PINION_MAGIC,
    PINION_ABI_MAJOR,
    PINION_ABI_MINOR,
    sizeof(pinion_plugin_entry),
    0,
    &info,
    create,
    [](void*) {},
    [](void*, const char*) -> const void* { return nullptr; }};
