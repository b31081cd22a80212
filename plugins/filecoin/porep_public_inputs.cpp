#include <pinion/filecoin/porep_public_inputs.hpp>
#include <stdexcept>
#include <string>

namespace pinion::filecoin {
namespace {

bls::Fr scalar(const Bytes32& bytes, const char* name) {
  if (const auto value = bls::Fr::from_bytes(bytes)) return *value;
  throw std::invalid_argument(std::string(name) + " is not a canonical scalar: " + to_hex(bytes));
}

}  // namespace

std::vector<bls::Fr> porep_public_inputs(const PorepSetup& setup, const StackedGraph& graph,
                                         const SealStatement& statement, unsigned k) {
  std::vector<bls::Fr> out;
  out.reserve(setup.public_inputs());
  out.push_back(scalar(statement.replica_id, "replica_id"));
  out.push_back(scalar(statement.comm_d, "comm_d"));
  out.push_back(scalar(statement.comm_r, "comm_r"));
  for (const std::uint64_t challenge : porep_challenges(setup, statement, k)) {
    const bls::Fr node = bls::Fr::from_u64(challenge);
    out.push_back(node);  // leaf of TreeD
    for (const std::uint64_t parent : graph.drg_parents(challenge)) out.push_back(bls::Fr::from_u64(parent));
    for (const std::uint64_t parent : graph.expander_parents(challenge)) out.push_back(bls::Fr::from_u64(parent));
    out.insert(out.end(), 3, node);  // the challenge as a number, leaf of TreeR, leaf of TreeC
  }
  return out;
}

}  // namespace pinion::filecoin
