#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pinion/filecoin/identity.hpp>
#include <pinion/filecoin_proving/request_facts.hpp>
#include <pinion/plugin/call.hpp>
#include <pinion/porep/openings.hpp>
#include <pinion/porep/porep_request.hpp>
#include <pinion/printable.hpp>
#include <span>
#include <string>
#include <vector>

namespace pinion::filecoin {
namespace {

using Sort = RequestFacts::Sort;
constexpr std::array<RequestFacts::Key, 4> known_facts{{{"miner_id", Sort::number},
                                                        {"sector_number", Sort::number},
                                                        {"sector_size", Sort::number},
                                                        {"registered_proof", Sort::number}}};

// A folder on the command line is all its files, so that one which also holds the proof or the facts will do.
ByteView c1_part(const pinion_request& request) {
  std::vector<const pinion_part*> inputs;
  std::string names;
  for (const pinion_part& part : std::span(request.parts, request.part_count)) {
    const std::string_view name(part.name);
    if (name == "meta.json") continue;
    inputs.push_back(&part);
    names.append(names.empty() ? ": " : ", ").append(shown(name));
  }
  const auto named = [](const pinion_part* part) { return std::string_view(part->name) == "c1.json"; };
  const auto c1 = inputs.size() == 1 ? inputs.begin() : std::find_if(inputs.begin(), inputs.end(), named);
  if (c1 == inputs.end() || std::count_if(inputs.begin(), inputs.end(), named) > 1)
    refuse(fmt::format("a PoRep's input is one file, the C1 output, or a folder with a c1.json; here are {} files{}",
                       inputs.size(), names));
  return bytes_of((*c1)->bytes);
}

void check_stated(const RequestFacts& facts, const C1& c1) {
  if (const auto size = facts.number("sector_size"); size && *size != sector_bytes(c1.proof.size()))
    refuse(fmt::format("the request says sector_size {}, its C1 is for {} ({} bytes)", *size, c1.proof.name(),
                       sector_bytes(c1.proof.size())));
  if (const auto proof = facts.number("registered_proof"); proof && *proof != c1.proof.number())
    refuse(fmt::format("the request says registered_proof {}, its C1 is for {} ({})", *proof, c1.proof.number(),
                       c1.proof.name()));
  if (const auto sector = facts.number("sector_number"); sector && c1.sector_number && *sector != *c1.sector_number)
    refuse(fmt::format("the request says sector_number {}, the wrapper of its C1 says SectorNum {}", *sector,
                       *c1.sector_number));
}

// Whether the C1's replica_id is the one of this miner's sector. False: the request names neither.
bool check_identity(const RequestFacts& facts, const C1& c1, const PorepSetup& setup) {
  const auto miner = facts.number("miner_id");
  const auto stated_sector = facts.number("sector_number");
  const auto sector = stated_sector ? stated_sector : c1.sector_number;
  if (!miner) {
    if (stated_sector) refuse("sector_number is given without miner_id: the replica_id depends on both");
    return false;
  }
  if (!sector) refuse("miner_id is given without sector_number: the replica_id depends on both");
  const Bytes32 expected = replica_id(prover_id(*miner), *sector, c1.ticket, c1.comm_d, setup.porep_id);
  if (expected != c1.replica_id)
    refuse(
        fmt::format("replica_id: this C1 belongs to another sector or miner: it holds {}, but miner {}, sector {}, {} "
                    "with its ticket and comm_d give {}",
                    to_hex(c1.replica_id), *miner, *sector, c1.proof.name(), to_hex(expected)));
  return true;
}

}  // namespace

PorepRequest read_request(const pinion_request& request, const circuit::PoseidonSet& hashes) {
  const RequestFacts facts("PoRep", request, known_facts);
  C1 c1 = read_c1(c1_part(request));
  const PorepSetup setup = c1.proof.setup();
  check_stated(facts, c1);
  const bool identified = check_identity(facts, c1, setup);
  if (setup.rule == ChallengeRule::NonInteractive && (request.flags & PINION_REQUEST_PARTS) == 0)
    refuse(
        c1.proof.name() +
        ": a non-interactive PoRep proof is a SnarkPack aggregate of its partition proofs, which is not offered; only "
        "the partition proofs themselves can be made");
  const StackedGraph graph(setup);
  for (unsigned k = 0; k < setup.partitions; ++k) {
    check_openings(c1, setup, graph, k);
    check_roots(c1, hashes[2], k);
  }
  return {std::move(c1), setup, identified};
}

}  // namespace pinion::filecoin
