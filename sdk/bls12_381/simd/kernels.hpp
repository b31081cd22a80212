// The inner loops that a prover lives in, as a table chosen by CPU: sums of pairs of points and tiles of transforms.
// Two implementations, equal in every result: portable (blst per element) and avx512ifma (eight elements at once).
// Not here: what to add or transform in which order (msm.hpp, groth16/domain.hpp), nor threads: a kernel runs on the
// calling thread, on memory that the caller owns.
//
// Elements are in memory as blst has them: 64-bit words, Montgomery form, reduced.
#pragma once

#include <cstddef>
#include <cstdint>

#include "point_refs.hpp"

namespace pinion::bls::simd {

// Points of one group: affine, x then y, infinity all zero.
struct PointKernels {
  std::size_t scratch_bytes;  // 64-byte aligned
  // out[i] = point(refs[2i]) + point(refs[2i + 1]) for i < pairs; complete (equal, opposite, infinite operands).
  // `out` may be the place of the first operands, in order: refs[2i] names out[i]. [any]
  void (*add_pairs)(const std::uint64_t* points, const PointRef* refs, std::size_t pairs, std::uint64_t* out,
                    void* scratch);
  // Decodes eight uncompressed encodings (bls12_381/encoding.hpp) standing one after the other; out may be that place.
  // A set bit i of the result: encoding i is no finite point of the curve with x != 0, nothing was written for it, and
  // decode_uncompressed says why. No subgroup test. [any]
  std::uint8_t (*decode_eight)(const std::uint8_t* encoded, std::uint64_t* out);
};

inline constexpr unsigned max_tile_log = 14;

// Transforms over Fr on tiles of n = 2^log vectors, a vector being eight lanes; strides count elements. A tile in
// natural order becomes bit-reversed by transform, and the stores undo that. [any]
struct TransformKernels {
  std::size_t vector_bytes;  // a tile is n of them, 64-byte aligned
  std::size_t factor_words;  // of an entry in tables of twiddles
  // to[i] = from[i] as table entries, i < n
  void (*write_factors)(const std::uint64_t* from, std::size_t n, std::uint64_t* to);
  // vector t, lane k = from[t * stride + k]
  void (*load_columns)(void* tile, std::size_t n, const std::uint64_t* from, std::size_t stride);
  // vector t, lane k *= from[t * stride + k]; only right after a load
  void (*multiply_columns)(void* tile, std::size_t n, const std::uint64_t* from, std::size_t stride);
  // vector t, lane k = from[k * stride + t]
  void (*load_rows)(void* tile, std::size_t n, const std::uint64_t* from, std::size_t stride);
  // Per lane: X[k] = sum over t of x[t] w^(k t), to bit-reversed order. twiddles[i] = w^rev(i) for i < n / 2, rev over
  // log - 1 bits. log <= max_tile_log; the tile must come from a load, bit_reverse(load) or a multiplication.
  void (*transform)(void* tile, unsigned log, const std::uint64_t* twiddles);
  void (*bit_reverse)(void* tile, unsigned log);
  // vector t *= by's vector t
  void (*multiply_tile)(void* tile, std::size_t n, const void* by);
  // vector t *= table[t]
  void (*multiply_table)(void* tile, std::size_t n, const std::uint64_t* table);
  // to[t * stride + k] = lane k of vector t of the bit-reversed tile
  void (*store_columns)(const void* tile, unsigned log, std::uint64_t* to, std::size_t stride);
  // The same times start[k] * ratio[k]^t, eight elements each; and to[k * stride + t].
  void (*store_columns_scaled)(const void* tile, unsigned log, std::uint64_t* to, std::size_t stride,
                               const std::uint64_t* start, const std::uint64_t* ratio);
  void (*store_rows_scaled)(const void* tile, unsigned log, std::uint64_t* to, std::size_t stride,
                            const std::uint64_t* start, const std::uint64_t* ratio);
  // to[t * stride + k] = tile * start[k] * ratio[k]^t - other * scale (one table entry)
  void (*store_difference)(const void* tile, const void* other, unsigned log, std::uint64_t* to, std::size_t stride,
                           const std::uint64_t* start, const std::uint64_t* ratio, const std::uint64_t* scale);
};

struct Kernels {
  const char* name;  // "portable", "avx512ifma"
  PointKernels g1, g2;
  TransformKernels fr;
};

// Runs everywhere. [any]
const Kernels& portable_kernels() noexcept;
// nullptr where this CPU or its operating system lacks AVX-512 F, DQ, BW, VL or IFMA. [any]
const Kernels* ifma_kernels() noexcept;
// The fastest that runs here. [any]
const Kernels& best_kernels() noexcept;

}  // namespace pinion::bls::simd
