// A Prover with two configurations as what is compared: its first configuration is side A, the second side B.
#pragma once

#include <functional>
#include <pinion/host/ab/measure.hpp>
#include <pinion/host/pipeline/prover.hpp>

namespace pinion::host::ab {

class ProverBench final : public Bench {
 public:
  // `prover` was opened with one alternative and outlives this. Fixes the job of each request that is run.
  ProverBench(Prover& prover, std::vector<ProveRequest> jobs) : prover_(prover), jobs_(std::move(jobs)) {}

  // "alloc-x (states pageable)" of each side, before anything runs. [main]
  std::string allocator_of(Side side);

  Swap turn_to(Side side) override;
  Result<Run> run(std::size_t job, bool look, std::stop_token stop) override;

 private:
  Prover& prover_;
  const std::vector<ProveRequest> jobs_;
  std::uint64_t last_ = 0;
};

}  // namespace pinion::host::ab
