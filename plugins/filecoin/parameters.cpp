#include <fmt/format.h>

#include <pinion/filecoin/digest.hpp>
#include <pinion/filecoin/parameters.hpp>
#include <pinion/filecoin/seal_proof.hpp>

namespace pinion::filecoin {
namespace {

struct Digests {
  std::string_view params;
  std::string_view vk;
};

// By family, then by sector size.
constexpr std::array<std::array<Digests, 5>, 4> published{{
    // porep
    {{{"434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
      {"09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
      {"6c77597eb91ab936c1cef4cf19eba1b3", "065179da19fbe515507267677f02823e"},
      {"6a388072a518cf46ebd661f5cc46900a", "0c7b4aac1c40fdb7eb82bc355b41addf"},
      {"1801f8a6e1b00bceb00cc27314bb5ce3", "a89884252c04c298d0b3c81bfd884164"}}},
    // update
    {{{"311f92a3e75036ced01b1c0025f1fa0c", "eadad9784969890d30f2749708c79771"},
      {"5aedd2cf3e5c0a15623d56a1b43110ad", "abd80269054d391a734febdac0d2e687"},
      {"c3ad7bb549470b82ad52ed070aebb4f4", "994c5b7d450ca9da348c910689f2dc7f"},
      {"1b3cfd761a961543f9eb273e435a06a2", "3a6941983754737fde880d29c7094905"},
      {"1a392e7b759fb18e036c7559b5ece816", "80e366df2f1011953c2d01c7b7c9ee8e"}}},
    // winning
    {{{"82c88066be968bb550a05e30ff6c2413", "ffd79788d614d27919ae5bd2d94eacb6"},
      {"700171ecf7334e3199437c930676af82", "79ebb55f56fda427743e35053edad8fc"},
      {"827359440349fe8f5a016e7598993b79", "bd2cd62f65c1ab84f19ca27e97b7c731"},
      {"d84f79a16fe40e9e25a36e2107bb1ba0", "fc02943678dd119e69e7fab8420e8819"},
      {"2170a91ad5bae22ea61f2ea766630322", "6d3789148fb6466d07ee1e24d6292fd6"}}},
    // window
    {{{"7610b9f82bfc88405b7a832b651ce2f6", "0e0958009936b9d5e515ec97b8cb792d"},
      {"c49499bb76a0762884896f9683403f55", "34d4feeacd9abf788d69ef1bb4d8fd00"},
      {"1a7d4a9c8a502a497ed92a54366af33f", "4dae975de4f011f101f5a2f86d1daaba"},
      {"2cf49eb26f1fee94c85781a390ddb4c8", "0f8ec542485568fa3468c066e9fed82b"},
      {"3810b7780ac0e299b22ae70f1f94c9bc", "59d2bf1857adc59a4f08fcf2afaa916b"}}},
}};

std::string tree_name(SectorSize size) {
  const auto [base, sub, top] = tree_shape(size);
  return fmt::format("merkletree-poseidon_hasher-{}-{}-{}", base, sub, top);
}

std::string porep_identifier(SectorSize size) {
  const PorepSetup setup = SealProof(size, SealProof::Variant::V1).setup();
  return fmt::format(
      "layered_drgporep::PublicParams{{ graph: stacked_graph::StackedGraph{{expansion_degree: 8 base_graph: "
      "drgraph::BucketGraph{{size: {}; degree: 6; hasher: poseidon_hasher}} }}, challenges: LayerChallenges {{ layers: "
      "{}, max_count: {} }}, tree: {} }}",
      setup.nodes, setup.layers, setup.challenges_per_partition, tree_name(size));
}

std::string post_identifier(SectorSize size, unsigned challenges, unsigned sectors) {
  return fmt::format("FallbackPoSt::PublicParams{{sector_size: {}, challenge_count: {}, sector_count: {}}}",
                     sector_bytes(size), challenges, sectors);
}

struct Naming {
  std::string prefix;
  std::string identifier;
};

Naming naming(ParameterFamily family, SectorSize size) {
  const std::string tree = tree_name(size);
  switch (family) {
    case ParameterFamily::Porep:
      return {"stacked-proof-of-replication-" + tree + "-sha256_hasher", porep_identifier(size)};
    case ParameterFamily::Update:
      return {"empty-sector-update-" + tree,
              fmt::format("empty_sector_update::PublicParams{{ sector_nodes: {} }}", sector_nodes(size))};
    case ParameterFamily::Winning:
      return {"proof-of-spacetime-fallback-" + tree, post_identifier(size, 1, 66)};
    case ParameterFamily::Window:
      break;
  }
  constexpr std::array<unsigned, 5> window_sectors{2, 2, 2, 2349, 2300};
  return {"proof-of-spacetime-fallback-" + tree, post_identifier(size, 10, window_sectors[index_of(size)])};
}

}  // namespace

ParameterFiles parameter_files(ParameterFamily family, SectorSize size) {
  auto [prefix, identifier] = naming(family, size);
  const auto [params, vk] = published[static_cast<std::size_t>(family)][index_of(size)];
  const std::string hash = to_hex(sha256({as_bytes(identifier)}));
  return {fmt::format("v28-{}-{}", prefix, hash), std::move(identifier), std::string(params), std::string(vk)};
}

}  // namespace pinion::filecoin
