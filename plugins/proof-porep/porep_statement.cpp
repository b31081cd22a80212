#include <pinion/filecoin/porep_public_inputs.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/porep/openings.hpp>
#include <pinion/porep/porep_statement.hpp>

namespace pinion::filecoin {

std::string PorepStatement::parts_only() const {
  if (request_.setup.rule != ChallengeRule::NonInteractive) return {};
  return "a non-interactive PoRep proof is an aggregate of its parts, which is not offered";
}

std::vector<bls::Fr> PorepStatement::public_inputs(std::uint32_t k) const {
  return porep_public_inputs(request_.setup, graph_, statement_of(request_.c1), k);
}

void PorepStatement::write_witness(std::uint32_t k, const circuit::WitnessWriter::Position& end,
                                   const circuit::WitnessWriter::Buffers& buffers, Executor& executor) const {
  write_porep_witness(request_.setup, *hashes_, request_.c1.partitions[k], end, buffers, executor);
}

}  // namespace pinion::filecoin
