// One proof on a device, from its witness to the five sums of a Groth16 proof. `start` copies what the host lends and
// gives the device everything there is to do; `finish` waits, part by part. The kernels of all proofs stand in one
// stream; copies have one each, so that a proof's inputs arrive while the proof before it is computed. a and b arrive
// in ranges of columns while the sums over the witness are computed and then the transforms' first passes, each over a
// range that is there.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <pinion/backend_groth16/job.hpp>
#include <pinion/bls12_381/curve.hpp>
#include <pinion/groth16/proof.hpp>
#include <pinion/plugin/call.hpp>
#include <vector>

#include "interval.hpp"
#include "key_resident.hpp"
#include "partition_memory.hpp"
#include "quotient.hpp"
#include "shape_resident.hpp"
#include "upload.hpp"

namespace pinion::backend_cuda {

class Partition {
 public:
  // What the device is asked for, in order, and then measured by.
  enum class Part : unsigned { sum_witness, evaluate, ntt, coset_intt, sum_h };
  static constexpr std::size_t part_count = 5;
  static constexpr std::array<const char*, part_count> part_names{"sum witness", "evaluate", "NTT", "coset INTT",
                                                                  "sum h"};
  // Milliseconds of the device's.
  struct Times {
    // In which it ran kernels, rather than wait.
    std::chrono::nanoseconds busy() const;
    std::array<float, part_count> parts{};
    float waited = 0;    // of NTT, for evaluations to be copied
    float sum_b_g2 = 0;  // of the sums over the witness, beside the others
  };

  // Takes PartitionMemory::bytes of the device's space. Key and shape fit each other and outlive this. `arrivals`: in
  // how many ranges a and b arrive; a count that a transform's first pass can have (ntt.hpp).
  Partition(Device& device, const KeyResident& key, const ShapeResident& shape, unsigned arrivals);
  // Returns when the device has nothing more to do here, nor anything to read from the host.
  ~Partition();
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  // Returns when the job's memory is no longer read. Throws Cancelled and what the device says. [worker]
  void start(const backend_groth16::Job& job, Call& call);
  // Throws Cancelled and what the device says. [worker]
  groth16::ProofSums finish(Call& call);
  // What the device spent; after finish.
  Times times() const;

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
  void copy_witness(const groth16::Witness& witness, Call& call);
  void count_terms(Call& call);
  void begin_quotient(const backend_groth16::Job::Evaluations& evaluations, const cuda::Quotient& quotient, Call& call);
  void evaluate();
  void sum_witness();
  void sum_rests(std::span<const Query> queries);
  void sum_rest(const Query& query, cuda::Arena& arena, cuda::Stream stream);
  void sum_ones(const Query& query);
  void fork();
  void join(std::size_t used);
  void keep_windows(Sum sum, cuda::Curve curve, const cuda::MsmOutput& output, cuda::Stream stream);
  void mark(Part part) { device_.check(marks_[static_cast<unsigned>(part) + 1].record(kernels_)); }
  const cuda::Event& mark_of(Part part) const { return marks_[static_cast<unsigned>(part) + 1]; }
  void wait(Part part, Call& call);
  void wait_for_small_sums(Call& call);
  void quotient(const backend_groth16::Job& job, Call& call);
  void sum_h();
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
  Upload upload_;
  cuda::Event ready_, forked_;
  std::array<cuda::Stream, Device::side_count> sides_;
  std::vector<Interval> rests_;  // small sums of multiples; by Sum, all but h
  Interval b_g2_ones_;
  std::vector<Interval> arrivals_;  // in which the stream of kernels waits for copies
  std::array<cuda::Event, part_count + 1> marks_;
  cuda::DeviceWitness witness_;
  std::vector<bls::Fr> b_inputs_;
  std::array<Terms, 3> terms_;
  bool evaluations_copied_ = false;
  std::array<Result, sum_count> results_;
};

}  // namespace pinion::backend_cuda
