// A request for a proof of spacetime, read and checked, as ProofSession wants it.
#pragma once

#include <pinion/proof.h>

#include <memory>
#include <pinion/filecoin_proving/statement.hpp>
#include <pinion/post/circuit/synthesis.hpp>
#include <pinion/post/derivation.hpp>
#include <vector>

namespace pinion::filecoin {

struct PostRequest {
  SectorSize size;
  PostSetup setup;
  Bytes32 randomness;
  std::uint64_t first_partition;                    // of the whole proof: the leaves of API 1.0 and 1.1 depend on it
  std::vector<std::vector<PostSector>> partitions;  // up to setup.sectors each; WinningPoSt: setup.sectors
};

// Parts sector-0.bin, sector-1.bin …: one sector's bincode each. Facts: registered_proof (0 to 4 WinningPoSt; 5 to 9
// and 10 to 14 WindowPoSt; 2KiB to 64GiB), randomness (canonical); sector_size, where stated, must agree; prover_id,
// miner_id and sector_number are not looked at. WindowPoSt with partition_index: the sectors are those of that
// partition alone, and its part is the proof; without: of all partitions. Each sector must open the leaves that
// randomness asks of it, and its roots must hash to its comm_r. Throws pinion::Error INVALID_INPUT. [worker]
PostRequest read_winning_request(const pinion_request& request, const circuit::PoseidonSet& hashes);
PostRequest read_window_request(const pinion_request& request, const circuit::PoseidonSet& hashes);

class PostStatement final : public Statement {
 public:
  // `hashes` are post_hashes().
  PostStatement(PostRequest request, std::shared_ptr<const circuit::PoseidonSet> hashes)
      : request_(std::move(request)), hashes_(std::move(hashes)) {}

  std::uint32_t partitions() const override { return static_cast<std::uint32_t>(request_.partitions.size()); }
  std::vector<bls::Fr> public_inputs(std::uint32_t k) const override;
  void write_witness(std::uint32_t k, const circuit::WitnessWriter::Position& end,
                     const circuit::WitnessWriter::Buffers& buffers, Executor& executor) const override;

 private:
  const PostRequest request_;
  const std::shared_ptr<const circuit::PoseidonSet> hashes_;
};

}  // namespace pinion::filecoin
