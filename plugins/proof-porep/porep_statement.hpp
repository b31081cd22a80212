// A checked PoRep request as ProofSession wants it.
#pragma once

#include <memory>
#include <pinion/filecoin/graph.hpp>
#include <pinion/filecoin_proving/statement.hpp>
#include <pinion/porep/porep_request.hpp>

namespace pinion::filecoin {

class PorepStatement final : public Statement {
 public:
  // `hashes` are porep_hashes().
  PorepStatement(PorepRequest request, std::shared_ptr<const circuit::PoseidonSet> hashes)
      : request_(std::move(request)), hashes_(std::move(hashes)), graph_(request_.setup) {}

  std::uint32_t partitions() const override { return request_.setup.partitions; }
  std::string parts_only() const override;
  std::vector<bls::Fr> public_inputs(std::uint32_t k) const override;
  void write_witness(std::uint32_t k, const circuit::WitnessWriter::Position& end,
                     const circuit::WitnessWriter::Buffers& buffers, Executor& executor) const override;

 private:
  const PorepRequest request_;
  const std::shared_ptr<const circuit::PoseidonSet> hashes_;
  const StackedGraph graph_;
};

}  // namespace pinion::filecoin
