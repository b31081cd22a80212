// A proving key on a device: the five queries as affine points, h's in the order in which the device's transforms leave
// the quotient, and the tables of those transforms. The file is read in pieces through page-locked memory and decoded
// on the device, each point tested; the host keeps only the head.
#pragma once

#include <memory>
#include <pinion/backend_groth16/key_file.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/plugin.hpp>

#include "device.hpp"
#include "ntt.hpp"

namespace pinion::backend_cuda {

// Where the parts of a key lie in a block of device memory.
struct KeyPlaces {
  explicit KeyPlaces(const groth16::KeyCounts& counts);
  std::uint64_t h, l, a, b_g1, b_g2, tables, staging, bytes;  // offsets; the whole
  unsigned lg_domain;
};

class KeyResident final : public Resident {
 public:
  // Throws INVALID_CONFIG for what is not a parameter file. [worker]
  static pinion_resident_info describe(const pinion_resource& resource);
  // Throws INVALID_CONFIG for another digest than the resource states, or naming the first bad point of a section; and
  // what the device says. [worker]
  KeyResident(Device& device, const pinion_resource& resource, Call& call);
  // A key whose queries somebody else writes, before any use: for benchmarks. `head` has as many inputs as `counts`.
  KeyResident(Device& device, const groth16::KeyCounts& counts, groth16::VerifyingKey head);

  const groth16::KeyCounts& counts() const { return counts_; }
  const groth16::VerifyingKey& head() const { return head_; }
  const std::string& file() const { return file_; }
  const cuda::Ntt& ntt() const { return ntt_; }
  std::uint64_t domain() const { return std::uint64_t{1} << places_.lg_domain; }
  // Device memory. h has domain() points, the last place's point is infinity.
  std::byte* h() const { return block_.data() + places_.h; }
  std::byte* l() const { return block_.data() + places_.l; }
  std::byte* a() const { return block_.data() + places_.a; }
  std::byte* b_g1() const { return block_.data() + places_.b_g1; }
  std::byte* b_g2() const { return block_.data() + places_.b_g2; }

 private:
  KeyResident(Device& device, const backend_groth16::KeyFile& keys, const pinion_resource& resource, Call& call);
  void build_tables();

  Device& device_;
  std::string file_;
  groth16::KeyCounts counts_;
  KeyPlaces places_;
  DeviceBlock block_;
  groth16::VerifyingKey head_;
  cuda::Ntt ntt_;
};

}  // namespace pinion::backend_cuda
