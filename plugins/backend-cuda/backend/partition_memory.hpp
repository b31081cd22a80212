// The device memory of one proof, cut off its arena:
//
//   kept      results, the witness, the vectors a and b of the domain
//   scratch   in turn: the lists and sums of a query; the vector c; with b, all that the sum over h takes
#pragma once

#include <pinion/groth16/params.hpp>

#include "arena.hpp"
#include "msm.hpp"
#include "witness.hpp"

namespace pinion::backend_cuda {

// One result: the sum of the ones, then the sums of the tail's windows. XYZZ points.
inline constexpr std::size_t points_per_result = 1 + cuda::max_windows;
inline constexpr std::size_t result_bytes = points_per_result * cuda::xyzz_bytes(cuda::Curve::g2);
enum class Sum : unsigned { l, a, b_g1, b_g2, h };
inline constexpr std::size_t sum_count = 5;

struct PartitionMemory {
  std::byte* results = nullptr;          // sum_count times result_bytes
  cuda::Fr* inputs = nullptr;            // all
  cuda::Fr* b_inputs = nullptr;          // of those, the ones with a point in B
  std::uint64_t* bits = nullptr;         // a word for every 64 aux
  std::uint64_t* classes = nullptr;      // the same; of a plain witness
  std::uint32_t* term_counts = nullptr;  // two for each of l, a, b
  cuda::Fr* scalars = nullptr;           // at most one an aux
  cuda::Fr* a = nullptr;                 // domain
  cuda::Fr* b = nullptr;                 // the last that is kept: the sum over h takes it back
  std::size_t before_b = 0;              // arena's use there

  static constexpr std::size_t term_count_words = 6;
  // Bytes of an arena for a key of these counts, whatever the witness. The device is current: its sorter is asked.
  static std::uint64_t bytes(const groth16::KeyCounts& counts);
  cuda::Status take(cuda::Arena& arena, const groth16::KeyCounts& counts);
  // What the sum over a query's `size` scalars takes, with all that helps.
  static std::uint64_t rest_bytes(cuda::Curve curve, std::uint64_t size, std::uint32_t aux);
};

}  // namespace pinion::backend_cuda
