// Proving the same partition again and again, in each way a job can come, and what that takes.
#pragma once

#include <nlohmann/json.hpp>
#include <pinion/backend_cuda/partition.hpp>
#include <pinion/groth16/verifier.hpp>
#include <pinion/testing/fake_host.hpp>
#include <string>

#include "circuit.hpp"

namespace pinion::bench {

class Runs {
 public:
  Runs(backend_cuda::Device& device, const backend_cuda::KeyResident& keys, const backend_cuda::ShapeResident& shape,
       const CircuitUnderTest& circuit, Executor& executor);

  // One proof to warm up, then `repeats` measured ones: medians in milliseconds. `load`: while every core works.
  // Throws when a proof does not verify or differs from the first.
  nlohmann::json packed(unsigned repeats);
  nlohmann::json plain(unsigned repeats);
  nlohmann::json evaluations(unsigned repeats, bool pinned, bool load);
  // The same, a and b arriving in another number of ranges than the backend chooses.
  void set_arrivals(unsigned count) { arrivals_ = count; }
  // `count` packed proofs, the next one started before the last is finished.
  nlohmann::json pipelined(unsigned count);

  const std::string& proof_sha256() const { return sha256_; }

 private:
  using Job = backend_groth16::Job;
  struct Times {
    double start, finish;
    backend_cuda::Partition::Times device;
  };
  Times prove(const Job& job);
  void check(const groth16::ProofSums& sums);
  nlohmann::json measure(const std::string& name, const Job& job, unsigned repeats);

  backend_cuda::Device& device_;
  const backend_cuda::KeyResident& keys_;
  const backend_cuda::ShapeResident& shape_;
  const CircuitUnderTest& circuit_;
  Executor& executor_;
  groth16::Verifier verifier_;
  bls::Fr r_, s_;
  unsigned arrivals_;
  std::string sha256_;
};

}  // namespace pinion::bench
