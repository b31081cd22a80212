// A "pinion.keys.groth16.bls12-381/1" resource as a file that provers can use.
#pragma once

#include <pinion/resident.h>

#include <pinion/groth16/params.hpp>
#include <pinion/plugin.hpp>

namespace pinion::backend_groth16 {

// A failure of the mathematics as the plugin's. A parameter file that is absent or not what it should be is the
// configuration's fault, no request's.
template <class T>
T valid(groth16::Result<T> result, pinion_status code = PINION_INVALID_CONFIG) {
  if (!result) throw Error(code, result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

struct KeyFile {
  groth16::File file;
  groth16::ParamsLayout layout;  // its h is one less than a power of two: the domain

  std::uint64_t domain() const { return std::uint64_t{layout.counts.h} + 1; }
  // Reads the head. Throws UNSUPPORTED for another format or without a file, INVALID_CONFIG for what is no parameter
  // file. [worker]
  static KeyFile open(const pinion_resource& resource);
};

// Reads the whole file where the resource states a digest (groth16::file_digest), and throws INVALID_CONFIG for another
// one: a file that changed since may well hold a key, only not this one; every proof would be wrong, and its devices be
// blamed for it. [worker]
void check_digest(const pinion_resource& resource, Call& call);

// Throws UNSUPPORTED for a resource of another format. [any]
void require_keys(const pinion_resource& resource);

// The item of `resources` whose format(item) is `wanted`. Throws UNSUPPORTED.
template <class Resources, class Format>
auto& find_format(const Resources& resources, std::string_view wanted, Format&& format) {
  for (const auto& resource : resources)
    if (wanted == format(resource)) return resource;
  throw Error(PINION_UNSUPPORTED, "the job comes without a resource of format " + std::string(wanted));
}
inline const pinion_resource& find_resource(std::span<const pinion_resource* const> resources,
                                            std::string_view wanted) {
  return *find_format(resources, wanted, [](const pinion_resource* resource) { return resource->format; });
}
inline const pinion_loaded& find_loaded(std::span<const pinion_loaded> residents, std::string_view wanted) {
  return find_format(residents, wanted, [](const pinion_loaded& loaded) { return loaded.resource->format; });
}

}  // namespace pinion::backend_groth16
