#include "statement.hpp"

#include <fmt/format.h>

#include <pinion/filecoin_proving/request_facts.hpp>
#include <pinion/plugin/call.hpp>

namespace pinion::filecoin {
namespace {

using Sort = RequestFacts::Sort;
constexpr std::array<RequestFacts::Key, 7> known_facts{{{"registered_proof", Sort::number},
                                                        {"sector_size", Sort::number},
                                                        {"sector_number", Sort::number},
                                                        {"miner_id", Sort::number},
                                                        {"comm_r_old", Sort::bytes32},
                                                        {"comm_r_new", Sort::bytes32},
                                                        {"comm_d_new", Sort::bytes32}}};

SectorSize size_of(const RequestFacts& facts) {
  const std::uint64_t registered = facts.needed_number("registered_proof");
  if (registered >= sector_sizes.size())
    refuse(fmt::format("registered_proof {}: update proofs are 0 (2KiB) to 4 (64GiB)", registered));
  const SectorSize size = sector_sizes[registered];
  if (const auto stated = facts.number("sector_size"); stated && *stated != sector_bytes(size))
    refuse(fmt::format("the request says sector_size {}, registered_proof {} is for {} ({} bytes)", *stated, registered,
                       sector_name(size), sector_bytes(size)));
  return size;
}

// comm_r = H(comm_c, root): else the circuit could not be satisfied, and which partition is at fault would not be told.
void check_root(const UpdateHashes& hashes, const UpdatePartition& partition, const bls::Fr& root,
                const bls::Fr& comm_r, std::string_view part, std::string_view key) {
  if (hashes.trees[2].hash(std::array{partition.comm_c, root}) != comm_r)
    refuse(fmt::format("{}: its comm_c and root do not hash to the request's {}: it belongs to another sector", part,
                       key));
}

}  // namespace

SnapRequest read_snap_request(const pinion_request& request, const UpdateHashes& hashes) {
  const RequestFacts facts("SnapDeals", request, known_facts);
  SnapRequest out{
      size_of(facts),
      {facts.needed_scalar("comm_r_old"), facts.needed_scalar("comm_d_new"), facts.needed_scalar("comm_r_new")},
      {}};
  const UpdateSetup setup = UpdateSetup::of(out.size);
  const auto parts = numbered_parts(request, "partition-");
  if (parts.size() != setup.partitions)
    refuse(fmt::format("{} partitions, a SnapDeals proof of {} has {}", parts.size(), sector_name(out.size),
                       setup.partitions));
  for (const pinion_part& part : parts) {
    UpdatePartition partition = read_update_partition(bytes_of(part.bytes), setup, part.name);
    check_root(hashes, partition, partition.root_r_old, out.statement.comm_r_old, part.name, "comm_r_old");
    check_root(hashes, partition, partition.root_r_new, out.statement.comm_r_new, part.name, "comm_r_new");
    out.partitions.push_back(std::move(partition));
  }
  return out;
}

std::vector<bls::Fr> SnapStatement::public_inputs(std::uint32_t k) const {
  const auto inputs = derivation_.public_inputs(request_.statement, k);
  return {inputs.begin(), inputs.end()};
}

void SnapStatement::write_witness(std::uint32_t k, const circuit::WitnessWriter::Position& end,
                                  const circuit::WitnessWriter::Buffers& buffers, Executor& executor) const {
  write_update_witness(setup_, *hashes_, request_.statement, k, request_.partitions[k], end, buffers, executor);
}

}  // namespace pinion::filecoin
