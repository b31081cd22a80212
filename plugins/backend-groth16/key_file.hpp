// A "pinion.keys.groth16.bls12-381/1" resource as a file that provers can use.
#pragma once

#include <pinion/resident.h>

#include <optional>
#include <pinion/groth16/digest.hpp>
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

// The digest of a key file, taken while the file is loaded and compared with the one that its resource states. A file
// that changed since may well hold a key, only not this one: every proof would be wrong, and its devices be blamed for
// it.
class KeyDigest {
 public:
  KeyDigest(const pinion_resource& resource, const groth16::File& file);
  // What wants the file's bytes on their way; nullptr: no digest is stated, and nothing is compared. [worker]
  groth16::FileDigest* running() { return running_ ? &*running_ : nullptr; }
  // After loading, before anybody says what was wrong with the points: throws INVALID_CONFIG for another digest.
  // [worker]
  void require(Call& call);

 private:
  const groth16::File& file_;
  std::string stated_;
  std::optional<groth16::FileDigest> running_;
};

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
