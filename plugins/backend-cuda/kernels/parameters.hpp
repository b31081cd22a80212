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

// Adding points in rounds (G1): threads a block, blocks a multiprocessor, tasks on their way to a thread.
//   half of H MSM 2^27, 805 M additions, in XYZZ 291.0 ms
//   rounds, first version      128 x 2, sums loaded ahead: 234.6  128 x 3, so: 245.1, not: 241.4  128 x 4, not: 271.0
//   records, loose values      128 x 2, two slots: 213.3  three: 224.2   128 x 3, two: 234.8
//   products as functions      128 x 2, two slots: 225.3                 128 x 3, two: 232.2
//   arithmetic alone           128 x 2: 190.7   as functions: 195.2      128 x 3: 209.5
inline constexpr unsigned rounds_threads = 128, rounds_blocks = 2, rounds_slots = 2;
inline constexpr unsigned rounds_workers = 132 * rounds_blocks * rounds_threads;
// The fewest tasks a thread divides for at once. Below 16 an inverse costs more than XYZZ does (by the times below).
inline constexpr unsigned rounds_least_batch = 20;

// What the parts of a sum of multiples take in G1, nanoseconds of the whole device: windows are chosen by it. In G2
// all but the first, which is small, are three to four times as much.
//   H MSM 2^27: 805 M digits sorted in 22.8 ms, added in 291.0, or 213.3 and 4.6 to prepare (an inverse for 370).
//   A bucket: what 2^20 (16 windows, 524,288 buckets) and 2^24 (13; 5.8 M) took beyond that, 2.7 and 10.7 ms.
//   Inverses: 0.85 G/s of sixteen warps a multiprocessor; rounds have eight.
inline constexpr double sort_ns = 0.028, xyzz_ns = 0.361, round_ns = 0.271, inverse_ns = 1.4, bucket_ns = 1.6;

// Sums of selected points: as many slices as threads are resident.
inline constexpr unsigned sum_workers_g1 = 132 * 384, sum_workers_g2 = 132 * 192;

// Everything that is one item a thread and bound by memory.
inline constexpr unsigned stream_threads = 256;

}  // namespace pinion::cuda
