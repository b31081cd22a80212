#include <pinion/filecoin/identity.hpp>
#include <pinion/filecoin/seal_proof.hpp>

namespace pinion::filecoin {
namespace {

constexpr std::array<std::string_view, 4> variant_suffixes{"V1", "V1_1", "V1_1_Feat_SyntheticPoRep",
                                                           "V1_2_Feat_NonInteractivePoRep"};
constexpr std::string_view prefix = "StackedDrg";

ApiVersion api_version(SealProof::Variant variant) {
  switch (variant) {
    case SealProof::Variant::V1:
      return ApiVersion::v1_0_0;
    case SealProof::Variant::V1_1:
      return ApiVersion::v1_1_0;
    case SealProof::Variant::Synthetic:
    case SealProof::Variant::NonInteractive:
      break;
  }
  return ApiVersion::v1_2_0;
}

ChallengeRule challenge_rule(SealProof::Variant variant) {
  if (variant == SealProof::Variant::Synthetic) return ChallengeRule::Synthetic;
  if (variant == SealProof::Variant::NonInteractive) return ChallengeRule::NonInteractive;
  return ChallengeRule::Interactive;
}

}  // namespace

std::string_view api_version_name(ApiVersion version) {
  return std::array<std::string_view, 3>{"1.0.0", "1.1.0", "1.2.0"}[static_cast<std::size_t>(version)];
}

std::optional<SealProof> SealProof::from_number(std::uint64_t number) {
  if (number >= count) return std::nullopt;
  return SealProof(sector_sizes[number % 5], static_cast<Variant>(number / 5));
}

std::optional<SealProof> SealProof::from_name(std::string_view name) {
  for (std::uint64_t number = 0; number < count; ++number)
    if (const auto proof = from_number(number); proof->name() == name) return proof;
  return std::nullopt;
}

std::string SealProof::name() const {
  return std::string(prefix).append(sector_name(size_)).append(variant_suffixes[static_cast<std::size_t>(variant_)]);
}

std::string SealProof::vanilla_name() const {
  return std::string(prefix).append(sector_name(size_)).append("V1");
}

PorepSetup SealProof::setup() const {
  const bool large = sector_bytes(size_) >= sector_bytes(SectorSize::k32GiB);
  const bool interactive = variant_ != Variant::NonInteractive;
  PorepSetup setup;
  setup.nodes = sector_nodes(size_);
  setup.tree = tree_shape(size_);
  setup.layers = large ? 11 : 2;
  setup.partitions = interactive ? (large ? 10 : 1) : (large ? 126 : 13);
  // The protocol asks for 2 or 176 challenges (26 or 2253 non-interactive), rounded up to whole partitions.
  setup.challenges_per_partition = large ? 18 : 2;
  setup.api_version = api_version(variant_);
  setup.rule = challenge_rule(variant_);
  setup.porep_id = porep_id(number());
  return setup;
}

}  // namespace pinion::filecoin
