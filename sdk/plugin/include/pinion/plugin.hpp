// The C++20 author wrapper: one include and one macro make a class a plugin. Header only; a plain C plugin needs none
// of it.
//
//   class Heap final : public pinion::Allocator { … public: Heap(pinion::Host, const pinion::Options&); … };
//   PINION_PLUGIN(Heap, .id = "alloc-heap", .name = "Heap allocator", .version = "1.0.0", …)
#pragma once

#include <pinion/pinion.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <pinion/plugin/options.hpp>
#include <pinion/plugin/tables.hpp>

namespace pinion::detail {

// The interface ids a plugin class offers, in the order of the ABI's headers.
template <class P>
struct Interfaces {
  static constexpr std::array<bool, 7> offered{std::derived_from<P, Allocator>, std::derived_from<P, Backend>,
                                               std::derived_from<P, Proof>,     std::derived_from<P, ResidentTable>,
                                               std::derived_from<P, Keys>,      std::derived_from<P, Samples>,
                                               std::derived_from<P, Health>};
  static constexpr std::array<const char*, 7> every{PINION_ALLOCATOR, PINION_BACKEND, PINION_PROOF, PINION_RESIDENT,
                                                    PINION_KEYS,      PINION_SAMPLE,  PINION_HEALTH};
  static constexpr uint32_t count = static_cast<uint32_t>(std::count(offered.begin(), offered.end(), true));
  static constexpr std::array<const char*, every.size()> ids = [] {
    std::array<const char*, every.size()> out{};
    auto next = out.begin();
    for (std::size_t i = 0; i < every.size(); ++i)
      if (offered[i]) *next++ = every[i];
    return out;
  }();

  static const void* query(void*, const char* id) {
    if constexpr (std::derived_from<P, Allocator>)
      if (std::strcmp(id, PINION_ALLOCATOR) == 0) return &AllocatorTable<P>::table;
    if constexpr (std::derived_from<P, Backend>)
      if (std::strcmp(id, PINION_BACKEND) == 0) return &BackendTable<P>::table;
    if constexpr (std::derived_from<P, Proof>)
      if (std::strcmp(id, PINION_PROOF) == 0) return &ProofTable<P>::table;
    if constexpr (std::derived_from<P, ResidentTable>)
      if (std::strcmp(id, PINION_RESIDENT) == 0) return &ResidentTableOf<P>::table;
    if constexpr (std::derived_from<P, Keys>)
      if (std::strcmp(id, PINION_KEYS) == 0) return &KeysTable<P>::table;
    if constexpr (std::derived_from<P, Samples>)
      if (std::strcmp(id, PINION_SAMPLE) == 0) return &SamplesTable<P>::table;
    if constexpr (std::derived_from<P, Health>)
      if (std::strcmp(id, PINION_HEALTH) == 0) return &HealthTable<P>::table;
    return nullptr;
  }
};

// What an author says of a plugin; the rest of pinion_plugin_info follows from the class.
struct About {
  const char* id;
  const char* name;
  const char* version;
  const char* licence;
  const char* description;
  const pinion_option_info* const* options = nullptr;
  uint32_t option_count = 0;
};

template <class P>
constexpr pinion_plugin_info info_of(const About& about) {
  return {sizeof(pinion_plugin_info),
          Interfaces<P>::count,
          about.option_count,
          0,
          about.id,
          about.name,
          about.version,
          about.licence,
          about.description,
          Interfaces<P>::ids.data(),
          about.options};
}

template <class P>
constexpr pinion_plugin_entry entry_of(const pinion_plugin_info* info) {
  static_assert(Interfaces<P>::count > 0, "a plugin class derives from at least one interface of pinion/plugin.hpp");
  return {PINION_MAGIC,
          PINION_ABI_MAJOR,
          PINION_ABI_MINOR,
          sizeof(pinion_plugin_entry),
          0,
          info,
          [](const pinion_host* host, const pinion_option* options, uint32_t count, void** self, pinion_error* err) {
            return create_into(self, err, [&] { return std::make_unique<P>(Host(host), Options(options, count)); });
          },
          [](void* self) { delete static_cast<P*>(self); },
          &Interfaces<P>::query};
}

}  // namespace pinion::detail

// Exports Class as this library's plugin. The rest are designated initialisers of pinion::detail::About.
// Class is constructible from (pinion::Host, const pinion::Options&).
#define PINION_PLUGIN(Class, ...)                                         \
  static constexpr pinion_plugin_info pinion_plugin_info_of_this =        \
      pinion::detail::info_of<Class>(pinion::detail::About{__VA_ARGS__}); \
  extern "C" PINION_EXPORT const pinion_plugin_entry pinion_plugin;       \
  extern "C" PINION_EXPORT constexpr pinion_plugin_entry pinion_plugin =  \
      pinion::detail::entry_of<Class>(&pinion_plugin_info_of_this);
