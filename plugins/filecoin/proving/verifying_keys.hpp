// Finds the verifying key of a size in a parameter folder and makes sure that it is the published one.
#pragma once

#include <pinion/filecoin/digest.hpp>
#include <pinion/groth16/verifier.hpp>
#include <string>

#include "kind_table.hpp"

namespace pinion::filecoin {

struct FoundKey {
  groth16::VerifyingKey key;
  std::string path;    // of the file it was read from
  std::string digest;  // Blake2b as in parameters.json, of the key's bytes
  bool published;      // digest is the published one
  // What the .params file should have: the published one or, of a local key, what it was made with (sidecar.hpp); "":
  // nobody knows, or it is not to be compared.
  std::string params_digest;
};

// Reads DIR/….vk or, where there is none, the head of DIR/….params (the same bytes, which is checked where both are
// there). A key that is not the published one is refused unless `allow_test_keys`, and when it is not what it was made
// as (sidecar.hpp). Throws pinion::Error INVALID_CONFIG saying which files were looked at and what to do. [worker]
FoundKey find_verifying_key(const std::string& dir, const ProofKind& kind, bool allow_test_keys);

}  // namespace pinion::filecoin
