#include <fmt/format.h>

#include <array>
#include <pinion/filecoin/identity.hpp>
#include <pinion/plugin/call.hpp>
#include <pinion/porep/openings.hpp>
#include <pinion/porep/porep_request.hpp>
#include <span>
#include <string>

namespace pinion::filecoin {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(PINION_INVALID_INPUT, message);
}

ByteView only_part(const pinion_request& request) {
  if (request.part_count == 1) return bytes_of(request.parts[0].bytes);
  std::string names;
  for (const pinion_part& part : std::span(request.parts, request.part_count))
    names.append(names.empty() ? ": " : ", ").append(part.name);
  refuse(fmt::format("a PoRep request has one part, the C1 output; this one has {}{}", request.part_count, names));
}

void check_stated(const PorepFacts& facts, const C1& c1) {
  if (facts.sector_size && *facts.sector_size != sector_bytes(c1.proof.size()))
    refuse(fmt::format("the request says sector_size {}, its C1 is for {} ({} bytes)", *facts.sector_size,
                       c1.proof.name(), sector_bytes(c1.proof.size())));
  if (facts.registered_proof && *facts.registered_proof != c1.proof.number())
    refuse(fmt::format("the request says registered_proof {}, its C1 is for {} ({})", *facts.registered_proof,
                       c1.proof.number(), c1.proof.name()));
  if (facts.sector_number && c1.sector_number && *facts.sector_number != *c1.sector_number)
    refuse(fmt::format("the request says sector_number {}, the wrapper of its C1 says SectorNum {}",
                       *facts.sector_number, *c1.sector_number));
}

// Whether the C1's replica_id is the one of this miner's sector. False: the request names neither.
bool check_identity(const PorepFacts& facts, const C1& c1, const PorepSetup& setup) {
  const auto sector = facts.sector_number ? facts.sector_number : c1.sector_number;
  if (!facts.miner_id) {
    if (facts.sector_number) refuse("sector_number is given without miner_id: the replica_id depends on both");
    return false;
  }
  if (!sector) refuse("miner_id is given without sector_number: the replica_id depends on both");
  const Bytes32 expected = replica_id(prover_id(*facts.miner_id), *sector, c1.ticket, c1.comm_d, setup.porep_id);
  if (expected != c1.replica_id)
    refuse(
        fmt::format("replica_id: this C1 belongs to another sector or miner: it holds {}, but miner {}, sector {}, {} "
                    "with its ticket and comm_d give {}",
                    to_hex(c1.replica_id), *facts.miner_id, *sector, c1.proof.name(), to_hex(expected)));
  return true;
}

}  // namespace

PorepFacts read_facts(const pinion_request& request) {
  PorepFacts facts;
  const std::array<std::pair<std::string_view, std::optional<std::uint64_t>*>, 4> known{{
      {"miner_id", &facts.miner_id},
      {"sector_number", &facts.sector_number},
      {"sector_size", &facts.sector_size},
      {"registered_proof", &facts.registered_proof},
  }};
  for (const pinion_field& field : std::span(request.fields, request.field_count)) {
    std::optional<std::uint64_t>* target = nullptr;
    for (const auto& [key, fact] : known)
      if (key == field.key) target = fact;
    if (target == nullptr)
      refuse(
          fmt::format("field {}: unknown; a PoRep request may state miner_id, sector_number, sector_size and "
                      "registered_proof",
                      field.key));
    if (field.bytes.data != nullptr || field.bytes.size != 0)
      refuse(fmt::format("field {}: bytes, a number expected", field.key));
    if (*target) refuse(fmt::format("field {}: stands there twice", field.key));
    *target = field.number;
  }
  return facts;
}

PorepRequest read_request(const pinion_request& request, const circuit::PoseidonSet& hashes) {
  const PorepFacts facts = read_facts(request);
  C1 c1 = read_c1(only_part(request));
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
