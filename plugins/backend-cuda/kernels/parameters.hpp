// The launch parameters of the kernels, with the measurements that chose them (H200, CUDA 13.0; the alternatives were
// built and run in the same session). Change one only with a new measurement.
#pragma once

namespace pinion::cuda {

// A pass of a transform: a block holds 2^tile_lg elements, eight a thread; tile_blocks blocks a multiprocessor.
//   2^27: forward, from permuted, quotient, ms   2^10 x 4: 28.4  29.2  183   x 5: 27.0  28.4  177   x 6: 27.8  27.8 181
//   (80 registers spill)
//   with Montgomery products, 2^27 forward       2^12 x 1: 41.4   2^11 x 2: 38.3   2^10 x 4: 36.7   2^10 x 5: 35.5
//                                                2^9 x 10: 40.1 (32-byte rows)
// Small blocks, because barriers and loads of one then hide behind the products of others; five a multiprocessor,
// because 96 registers still hold eight elements. No gain: loops over products unrolled (27.6  27.8  177), the next
// factor loaded ahead (27.0  27.9  176), streaming loads and stores (27.0  28.2  177).
inline constexpr unsigned tile_lg = 10, tile_blocks = 5;

// Of what a position has below a digit, the bits that one table of twiddles covers; the rest is another table's.
//   2^27 forward   9 (32 MB): 27.0 ms   7 (68 MB): 28.4   6 (130 MB): 28.4
inline constexpr unsigned low_table_bits = 9;

// A first pass that is done in parts, each when what it reads has been copied to the device: tiles of a part, 2^this.
// 132 multiprocessors hold 660 tiles at a time, so that a part of 2^14 runs 24.8 times as many, in 25 rounds; eight
// parts at 2^27, each row of theirs 1 MiB on end.
//   PoRep 32GiB, evaluations, first copy to H, ms   1 part: 331.8   4: 322.1   8: 323.2   16: 324.2
inline constexpr unsigned part_tiles_lg = 14;

// Adding points into buckets: threads a block, blocks a multiprocessor the compiler must allow for.
//   H MSM 2^27 (G1)    128 x 4: 700 ms   128 x 3: 718 (spills at the same 168 registers)   128 x 2: 665
//   G2 2^22            128 x 4: 96.6 ms  128 x 3: 88.5   128 x 2: 85.4
inline constexpr unsigned accumulate_threads = 128, accumulate_blocks_g1 = 2, accumulate_blocks_g2 = 2;

// Adding points in rounds: the fewest tasks a thread divides for at once.
inline constexpr unsigned rounds_least_batch = 8;

// Sums of selected points: as many slices as threads are resident.
inline constexpr unsigned sum_workers_g1 = 132 * 384, sum_workers_g2 = 132 * 192;

// Everything that is one item a thread and bound by memory.
inline constexpr unsigned stream_threads = 256;

}  // namespace pinion::cuda
