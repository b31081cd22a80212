// The registered seal proofs: their names, numbers and everything that follows from them alone (rust-fil-proofs 19,
// filecoin-proofs-api src/registry.rs and filecoin-proofs src/constants.rs).
#pragma once

#include <cstdint>
#include <optional>
#include <pinion/filecoin/digest.hpp>
#include <pinion/filecoin/sector.hpp>
#include <string>
#include <string_view>

namespace pinion::filecoin {

// Which bugs of graph and parent order are kept: order of the DRG predecessor, truncation in the expander (1.0.0 only).
enum class ApiVersion : std::uint8_t { v1_0_0, v1_1_0, v1_2_0 };
std::string_view api_version_name(ApiVersion version);

enum class ChallengeRule : std::uint8_t { Interactive, Synthetic, NonInteractive };

// The numbers that fix a PoRep: its graph, its circuit and its challenges. Built from a registered proof, or by a test
// at a toy size that has none.
struct PorepSetup {
  std::uint64_t nodes = 0;  // a power of two
  TreeShape tree;
  unsigned layers = 0;
  unsigned partitions = 0;
  unsigned challenges_per_partition = 0;
  ApiVersion api_version = ApiVersion::v1_1_0;
  ChallengeRule rule = ChallengeRule::Interactive;
  Bytes32 porep_id{};

  // Public inputs of one partition without ONE: replica_id, comm_d, comm_r, then 18 a challenge.
  unsigned public_inputs() const { return 3 + 18 * challenges_per_partition; }
};

class SealProof {
 public:
  enum class Variant : std::uint8_t { V1, V1_1, Synthetic, NonInteractive };
  static constexpr unsigned count = 20;

  constexpr SealProof(SectorSize size, Variant variant) : size_(size), variant_(variant) {}
  // 0 … 19 as in filecoin-proofs-api's RegisteredSealProof; nothing for other numbers. [any]
  static std::optional<SealProof> from_number(std::uint64_t number);
  // "StackedDrg32GiBV1_1" and so on; exact spelling. [any]
  static std::optional<SealProof> from_name(std::string_view name);

  SectorSize size() const { return size_; }
  Variant variant() const { return variant_; }
  std::uint64_t number() const { return 5 * static_cast<std::uint64_t>(variant_) + index_of(size_); }
  std::string name() const;
  // The variant name of the vanilla proofs in a C1 output: always …V1, whatever the registered proof.
  std::string vanilla_name() const;
  PorepSetup setup() const;

  friend bool operator==(const SealProof&, const SealProof&) = default;

 private:
  SectorSize size_;
  Variant variant_;
};

}  // namespace pinion::filecoin
