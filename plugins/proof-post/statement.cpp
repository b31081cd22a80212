#include "statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pinion/filecoin_proving/request_facts.hpp>
#include <pinion/plugin/call.hpp>

namespace pinion::filecoin {
namespace {

using Sort = RequestFacts::Sort;
constexpr std::array<RequestFacts::Key, 7> known_facts{{{"registered_proof", Sort::number},
                                                        {"partition_index", Sort::number},
                                                        {"sector_size", Sort::number},
                                                        {"sector_number", Sort::number},
                                                        {"miner_id", Sort::number},
                                                        {"randomness", Sort::bytes32},
                                                        {"prover_id", Sort::bytes32}}};
constexpr std::uint64_t sizes = sector_sizes.size();

SectorSize checked_size(const RequestFacts& facts, std::uint64_t registered) {
  const SectorSize size = sector_sizes[registered % sizes];
  if (const auto stated = facts.number("sector_size"); stated && *stated != sector_bytes(size))
    refuse(fmt::format("the request says sector_size {}, registered_proof {} is for {} ({} bytes)", *stated, registered,
                       sector_name(size), sector_bytes(size)));
  return size;
}

Bytes32 checked_randomness(const RequestFacts& facts) {
  const Bytes32 randomness = facts.needed_bytes32("randomness");
  if (!bls::Fr::from_bytes(randomness)) refuse("randomness: not below the field's modulus");
  return randomness;
}

std::uint64_t leaf_of(const MerklePath& path, const std::vector<unsigned>& arities) {
  std::uint64_t leaf = 0;
  for (std::size_t level = arities.size(); level-- > 0;) leaf = leaf * arities[level] + path.indices[level];
  return leaf;
}

// A sector that opens other leaves, or whose roots are of another comm_r, makes a proof that cannot verify: better said
// before proving, with the sector at fault. `position` is the sector's among all of the proof's.
void check_sector(const PostSetup& setup, const circuit::PoseidonSet& hashes, const Bytes32& randomness,
                  const PostSector& sector, std::uint64_t position, std::string_view part) {
  if (hashes[2].hash(std::array{sector.comm_c, sector.comm_r_last}) != sector.comm_r)
    refuse(fmt::format("{}: its comm_c and comm_r_last do not hash to its comm_r", part));
  const auto arities = level_arities(setup.tree, setup.nodes);
  for (unsigned n = 0; n < sector.openings.size(); ++n) {
    const std::uint64_t index = post_challenge_index(setup, position, n);
    const std::uint64_t expected = post_leaf(randomness, sector.sector_id, index, setup.nodes);
    const std::uint64_t found = leaf_of(sector.openings[n].path, arities);
    if (found != expected)
      refuse(
          fmt::format("{}: inclusion_proofs[{}] opens leaf {}, but sector {} at position {} is challenged at {}: "
                      "another randomness or another place in the proof",
                      part, n, found, sector.sector_id, position, expected));
  }
}

}  // namespace

PostRequest read_winning_request(const pinion_request& request, const circuit::PoseidonSet& hashes) {
  const RequestFacts facts("WinningPoSt", request, known_facts);
  const std::uint64_t registered = facts.needed_number("registered_proof");
  if (registered >= sizes)
    refuse(fmt::format("registered_proof {}: WinningPoSt proofs are 0 (2KiB) to 4 (64GiB)", registered));
  const SectorSize size = checked_size(facts, registered);
  PostRequest out{size, PostSetup::winning(size), checked_randomness(facts), 0, {}};
  const auto parts = numbered_parts(request, "sector-");
  if (parts.size() != 1) refuse(fmt::format("{} sectors, a WinningPoSt proves one", parts.size()));
  const PostSector sector =
      read_post_sector(bytes_of(parts[0].bytes), out.setup, PostSetup::winning_openings, parts[0].name);
  out.partitions.push_back(winning_partition(sector));
  for (std::uint64_t i = 0; i < out.partitions[0].size(); ++i)
    check_sector(out.setup, hashes, out.randomness, out.partitions[0][i], i, parts[0].name);
  return out;
}

PostRequest read_window_request(const pinion_request& request, const circuit::PoseidonSet& hashes) {
  const RequestFacts facts("WindowPoSt", request, known_facts);
  const std::uint64_t registered = facts.needed_number("registered_proof");
  if (registered < sizes || registered >= 3 * sizes)
    refuse(fmt::format("registered_proof {}: WindowPoSt proofs are 5 to 9 and 10 to 14 (2KiB to 64GiB)", registered));
  const SectorSize size = checked_size(facts, registered);
  const PostRule rule = registered < 2 * sizes ? PostRule::by_position : PostRule::by_sector;
  const auto only = facts.number("partition_index");
  PostRequest out{size, PostSetup::window(size, rule), checked_randomness(facts), only.value_or(0), {}};
  const auto parts = numbered_parts(request, "sector-");
  if (only && parts.size() > out.setup.sectors)
    refuse(fmt::format("{} sectors for the one partition partition_index {} names, which has at most {}", parts.size(),
                       *only, out.setup.sectors));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i % out.setup.sectors == 0) out.partitions.emplace_back();
    PostSector sector = read_post_sector(bytes_of(parts[i].bytes), out.setup, out.setup.challenges, parts[i].name);
    check_sector(out.setup, hashes, out.randomness, sector, out.first_partition * out.setup.sectors + i, parts[i].name);
    out.partitions.back().push_back(std::move(sector));
  }
  return out;
}

std::vector<bls::Fr> PostStatement::public_inputs(std::uint32_t k) const {
  std::vector<PostStatementSector> sectors;
  for (const PostSector& sector : request_.partitions[k]) sectors.push_back({sector.sector_id, sector.comm_r});
  return window_public_inputs(request_.setup, request_.randomness, sectors, request_.first_partition + k);
}

void PostStatement::write_witness(std::uint32_t k, const circuit::WitnessWriter::Position& end,
                                  const circuit::WitnessWriter::Buffers& buffers, Executor& executor) const {
  const auto sectors = window_partition(request_.partitions[k], request_.setup);
  write_post_witness(request_.setup, *hashes_, sectors, end, buffers, executor);
}

}  // namespace pinion::filecoin
