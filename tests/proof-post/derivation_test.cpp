#include <pinion/post/derivation.hpp>
#include <pinion/test_filecoin/derive.hpp>

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using pinion::bls::Fr;

namespace {

std::string digest(const std::vector<Fr>& scalars) {
  std::vector<std::uint8_t> bytes;
  for (const Fr& scalar : scalars) {
    const Bytes32 one = scalar.to_bytes();
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return to_hex(sha256({bytes}));
}

// Leaves of the sector at `position` in a vector of public inputs.
std::vector<std::uint64_t> leaves(const PostSetup& setup, const std::vector<Fr>& inputs, unsigned position) {
  std::vector<std::uint64_t> out;
  for (unsigned n = 0; n < setup.challenges; ++n)
    out.push_back(inputs[position * (1 + setup.challenges) + 1 + n].to_canonical()[0]);
  return out;
}

// "StackedDrgWindow32GiBV1_2" -> 32GiB
SectorSize size_in(const std::string& proof) {
  for (const SectorSize size : sector_sizes)
    for (const char* kind : {"Winning", "Window"})
      if (proof.find(kind + std::string(sector_name(size)) + "V") != std::string::npos) return size;
  FAIL("no size in " << proof);
  return SectorSize::k2KiB;
}

std::vector<PostStatementSector> sectors_of(const Json& post) {
  std::vector<PostStatementSector> out;
  for (const Json& sector : post.at("sectors"))
    out.push_back({number(sector[0]), Fr::from_bytes(bytes32(sector[1])).value()});
  return out;
}

}  // namespace

TEST_CASE("leaf challenges and winning sectors are the reference's") {
  const auto post = derive_section("post");
  if (!post) return;
  const Bytes32 randomness = bytes32(post->at("randomness"));
  for (const Json& row : post->at("leaf_challenges")) {
    const std::uint64_t nodes = sector_nodes(sector_size(row.at("sector")));
    std::vector<std::uint64_t> found;
    for (std::uint64_t index = 0; index < 66; ++index)
      found.push_back(post_leaf(randomness, number(row.at("sector_id")), index, nodes));
    CHECK(found == numbers(row.at("challenge_index_0_to_65")));
  }
  const Bytes32 prover = bytes32(post->at("prover_id"));
  for (const Json& row : post->at("winning_sector_selection")) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t n = 0; n < 5; ++n)
      found.push_back(winning_sector(prover, randomness, n, number(row.at("set_size"))));
    CHECK(found == numbers(row.at("selected")));
  }
  for (const Json& row : post->at("challenge_index")) {
    const PostRule rule = row.at("api_version") == "1.2.0" ? PostRule::by_sector : PostRule::by_position;
    CHECK(post_challenge_index(PostSetup::window(SectorSize::k2KiB, rule), 12, 3) == number(row.at("index")));
  }
}

TEST_CASE("public inputs of WindowPoSt are the reference's, partition by partition") {
  const auto post = derive_section("post");
  if (!post) return;
  const Bytes32 randomness = bytes32(post->at("randomness"));
  const std::vector<PostStatementSector> sectors = sectors_of(*post);
  for (const Json& row : post->at("window_public_inputs")) {
    const std::string proof = row.at("proof");
    CAPTURE(proof);
    const PostRule rule = row.at("api_version") == "1.2.0" ? PostRule::by_sector : PostRule::by_position;
    PostSetup setup = PostSetup::window(size_in(proof), rule);
    setup.sectors = row.at("sectors_per_partition");
    for (const Json& partition : row.at("partitions")) {
      const std::uint64_t k = number(partition.at("k"));
      const auto from = std::min<std::size_t>(k * setup.sectors, sectors.size() - 1);
      const auto count = std::min<std::size_t>(setup.sectors, sectors.size() - from);
      const auto inputs = window_public_inputs(setup, randomness, std::span(sectors).subspan(from, count), k);
      CHECK(inputs.size() == partition.at("count"));
      CHECK(inputs.size() == setup.public_inputs());
      CHECK(leaves(setup, inputs, 0) == numbers(partition.at("first_sector").at("leaves")));
      CHECK(leaves(setup, inputs, setup.sectors - 1) == numbers(partition.at("last_sector").at("leaves")));
      CHECK(digest(inputs) == partition.at("sha256"));
    }
  }
}

TEST_CASE("registered proofs of spacetime have the reference's numbers of sectors") {
  const auto registered = derive_section("registered");
  if (!registered) return;
  for (const Json& row : registered->at("post")) {
    const std::string proof = row.at("proof");
    CAPTURE(proof);
    const bool winning = proof.find("Winning") != std::string::npos;
    const SectorSize size = size_in(proof);
    const PostSetup setup = winning ? PostSetup::winning(size) : PostSetup::window(size, PostRule::by_sector);
    // WinningPoSt's vanilla proof is one sector; the circuit unrolls it.
    CHECK((winning ? 1 : setup.sectors) == row.at("sector_count"));
  }
}

TEST_CASE("public inputs of WinningPoSt are the reference's") {
  const auto post = derive_section("post");
  if (!post) return;
  const Bytes32 randomness = bytes32(post->at("randomness"));
  const std::vector<PostStatementSector> sectors = sectors_of(*post);
  for (const Json& row : post->at("winning_public_inputs")) {
    const PostSetup setup = PostSetup::winning(size_in(row.at("proof")));
    const auto inputs = winning_public_inputs(setup, randomness, sectors.at(row.at("sector").get<std::size_t>()));
    CHECK(inputs.size() == row.at("count"));
    CHECK(digest(inputs) == row.at("sha256"));
  }
}
