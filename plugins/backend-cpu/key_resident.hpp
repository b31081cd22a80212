// A proving key decoded into host memory: what a "pinion.keys.groth16.bls12-381/1" resource becomes for this backend.
#pragma once

#include <cstdint>
#include <pinion/groth16/params.hpp>
#include <pinion/plugin.hpp>
#include <span>
#include <string>

#include "prover.hpp"

namespace pinion::backend_cpu {

class KeyResident final : public Resident {
 public:
  // Bytes of the one buffer that load fills: the decoded queries. Reads the head of the file; throws INVALID_CONFIG for
  // what is not a parameter file. [worker]
  static pinion_resident_info describe(const pinion_resource& resource);
  // Throws INVALID_CONFIG naming the bad point or length, INTERNAL for a buffer that is too small. [worker]
  KeyResident(const pinion_resource& resource, const pinion_buffer& buffer, Call& call);

  const ProvingKey& key() const { return key_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  groth16::VerifyingKey head_;
  ProvingKey key_;
};

}  // namespace pinion::backend_cpu
