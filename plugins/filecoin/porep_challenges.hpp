// Which nodes a PoRep partition must open: interactive, synthetic and non-interactive challenges
// (storage-proofs-porep src/stacked/vanilla/challenges.rs).
#pragma once

#include <cstdint>
#include <pinion/filecoin/digest.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <vector>

namespace pinion::filecoin {

// What the challenges of a sealed sector are drawn from. All are canonical Fr except `seed`, which is any 32 bytes.
struct SealStatement {
  Bytes32 replica_id{};
  Bytes32 comm_d{};
  Bytes32 comm_r{};
  Bytes32 seed{};
};

// The synthetic challenges: a set fixed by replica_id and comm_r, from which the seed selects. nodes >= 2. [any]
class SyntheticSet {
 public:
  static constexpr std::uint64_t max_size = 1ULL << 18;

  // `size` entries; production uses min(nodes, max_size).
  SyntheticSet(std::uint64_t nodes, std::uint64_t size, const Bytes32& replica_id, const Bytes32& comm_r);
  std::uint64_t size() const { return size_; }
  // Entry `index` < size(), a node in [1, nodes).
  std::uint64_t at(std::uint64_t index) const;
  // Index into the set of the sector's challenge `ordinal` (counted over all partitions).
  std::uint64_t selected(const Bytes32& replica_id, const Bytes32& seed, std::uint64_t ordinal) const;

 private:
  std::uint64_t nodes_;
  std::uint64_t size_;
  ChaCha20 stream_;
};

// The setup.challenges_per_partition nodes of partition `k` < setup.partitions, each in [1, nodes). [any]
std::vector<std::uint64_t> porep_challenges(const PorepSetup& setup, const SealStatement& statement, unsigned k);

}  // namespace pinion::filecoin
