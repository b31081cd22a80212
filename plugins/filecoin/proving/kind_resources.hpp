// What every request of a kind needs loaded: its circuit's shape, which its plugin makes, and its parameter file.
#pragma once

#include <pinion/resident.h>

#include <array>
#include <span>
#include <string>

#include "kind_table.hpp"
#include "verifying_keys.hpp"

namespace pinion::filecoin {

// Owns the texts that the C structs point to, so it stays where it was made. Immutable. [any]
class KindResources {
 public:
  // `key` was found in `params_dir`; the parameter file's digest is as it has it.
  KindResources(const ProofKind& kind, const FoundKey& key, const std::string& params_dir);
  KindResources(const KindResources&) = delete;
  KindResources& operator=(const KindResources&) = delete;

  std::span<const pinion_resource* const> all() const { return pointers_; }
  const std::string& keys_file() const { return keys_file_; }
  const std::string& keys_digest() const { return keys_digest_; }  // "": unknown

 private:
  const std::string shape_id_, shape_digest_, keys_id_, keys_file_, keys_digest_;
  const pinion_resource shape_, keys_;
  const std::array<const pinion_resource*, 2> pointers_{&shape_, &keys_};
};

}  // namespace pinion::filecoin
