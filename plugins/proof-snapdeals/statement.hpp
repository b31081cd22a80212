// A SnapDeals request, read and checked, as ProofSession wants it.
#pragma once

#include <pinion/proof.h>

#include <memory>
#include <pinion/filecoin_proving/statement.hpp>
#include <pinion/snap/circuit/synthesis.hpp>
#include <vector>

namespace pinion::filecoin {

struct SnapRequest {
  SectorSize size;
  UpdateStatement statement;
  std::vector<UpdatePartition> partitions;
};

// Parts partition-0.bin, partition-1.bin …: one partition's bincode each. Facts: registered_proof (0 to 4, 2KiB to
// 64GiB), comm_r_old, comm_r_new, comm_d_new; sector_size where stated must agree; sector_number and miner_id are not
// looked at. Commitments must be canonical and belong to the roots of the partitions. Throws pinion::Error
// INVALID_INPUT. [worker]
SnapRequest read_snap_request(const pinion_request& request, const UpdateHashes& hashes);

class SnapStatement final : public Statement {
 public:
  SnapStatement(SnapRequest request, std::shared_ptr<const UpdateHashes> hashes)
      : request_(std::move(request)),
        hashes_(std::move(hashes)),
        setup_(UpdateSetup::of(request_.size)),
        derivation_(setup_) {}

  std::uint32_t partitions() const override { return setup_.partitions; }
  std::vector<bls::Fr> public_inputs(std::uint32_t k) const override;
  void write_witness(std::uint32_t k, const circuit::WitnessWriter::Position& end,
                     const circuit::WitnessWriter::Buffers& buffers, Executor& executor) const override;

 private:
  const SnapRequest request_;
  const std::shared_ptr<const UpdateHashes> hashes_;
  const UpdateSetup setup_;
  const UpdateDerivation derivation_;
};

}  // namespace pinion::filecoin
