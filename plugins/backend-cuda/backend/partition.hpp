// One proof on a device, from its witness to the five sums of a Groth16 proof. `start` copies what the host lends and
// gives the device everything there is to do; `finish` waits, part by part. The kernels of all proofs stand in one
// stream; copies have one each, so that a proof's inputs arrive while the proof before it is computed, and a and b
// while the sums over the witness are.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <pinion/backend_groth16/job.hpp>
#include <pinion/bls12_381/curve.hpp>
#include <pinion/groth16/proof.hpp>
#include <pinion/plugin/call.hpp>
#include <vector>

#include "key_resident.hpp"
#include "partition_memory.hpp"
#include "shape_resident.hpp"

namespace pinion::backend_cuda {

class Partition {
 public:
  // What the device is asked for, in order, and then measured by.
  enum class Part : unsigned { sum_witness, evaluate, quotient, sum_quotient };
  static constexpr std::size_t part_count = 4;
  static constexpr std::array<const char*, part_count> part_names{"sum witness", "evaluate", "quotient",
                                                                  "sum quotient"};

  // Takes PartitionMemory::bytes of the device's space. Key and shape fit each other and outlive this.
  Partition(Device& device, const KeyResident& key, const ShapeResident& shape);
  // Returns when the device has nothing more to do here, nor anything to read from the host.
  ~Partition();
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  // Returns when the job's memory is no longer read. Throws Cancelled and what the device says. [worker]
  void start(const backend_groth16::Job& job, Call& call);
  // Throws Cancelled and what the device says. [worker]
  groth16::ProofSums finish(Call& call);
  // Milliseconds that the device spent on each part; after finish.
  std::array<float, part_count> milliseconds() const;
  // Those in which it ran kernels, rather than wait for evaluations to be copied; after finish.
  std::chrono::nanoseconds busy() const;

 private:
  struct Terms {  // of a query: ones, and the other aux
    std::uint32_t ones = 0, scalars = 0;
  };
  struct Query {
    Sum sum;
    cuda::Curve curve;
    const std::byte* points;
    cuda::QueryAux aux;
    const cuda::Fr* inputs;  // with the first points
    std::uint32_t input_count;
    Terms terms;
    std::size_t rest() const { return std::size_t{input_count} + terms.scalars; }
  };
  struct Result {
    bool ones = false, windows_used = false;
    cuda::Windows windows;
  };

  template <class T>
  T* take(cuda::Arena& arena, std::size_t count, const char* what);
  cuda::Fr* take_fr(cuda::Arena& arena, std::size_t count, const char* what);
  void copy_in(void* to, const void* from, std::uint64_t bytes, Call& call, Span& span, const char* what);
  void copy_witness(const groth16::Witness& witness, Call& call);
  void count_terms(Call& call);
  void copy_evaluations(const backend_groth16::Job::Evaluations& evaluations, Call& call);
  void evaluate();
  void sum_witness();
  void sum_rests(std::span<const Query> queries);
  void sum_rest(const Query& query, cuda::Arena& arena, cuda::Stream stream);
  void sum_ones(const Query& query);
  void fork();
  void join();
  void keep_windows(Sum sum, cuda::Curve curve, const cuda::MsmOutput& output, cuda::Stream stream);
  void wait(const cuda::Event& event, const char* name, Call& call);
  void quotient();
  void sum_quotient();
  std::byte* result(Sum sum) const { return memory_.results + static_cast<unsigned>(sum) * result_bytes; }
  template <class Field>
  bls::Jacobian<Field> total(Sum sum, const std::vector<std::byte>& results) const;

  Device& device_;
  const KeyResident& key_;
  const ShapeResident& shape_;
  DeviceBlock block_;
  cuda::Arena arena_;
  PartitionMemory memory_;
  cuda::Stream kernels_;
  cuda::StreamOwner copies_;
  std::array<cuda::Event, 2> copied_;  // pieces on their way
  cuda::Event ready_, forked_;
  std::array<cuda::Stream, Device::side_count> sides_;
  std::array<cuda::Event, Device::side_count> joined_;
  std::size_t sides_used_ = 0;
  std::array<cuda::Event, part_count + 1> marks_;
  cuda::Event rests_summed_;  // within the first part
  cuda::DeviceWitness witness_;
  std::vector<bls::Fr> b_inputs_;
  std::array<Terms, 3> terms_;
  bool evaluations_copied_ = false;
  std::array<Result, sum_count> results_;
};

}  // namespace pinion::backend_cuda
