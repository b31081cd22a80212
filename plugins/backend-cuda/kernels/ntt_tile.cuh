// One pass of a transform: every column of one digit of the index, transformed in place. A block holds a tile of 2^11
// elements, 2^bits rows of adjacent columns, in shared memory; a thread does up to three butterfly stages on eight
// elements in registers between two exchanges, so a digit of nine bits is three rounds.
#pragma once

#include "fr.cuh"
#include "launch.cuh"

namespace pinion::cuda::ntt {

inline constexpr unsigned tile_lg = 11;
inline constexpr unsigned small_lg = 11;  // largest size that one block does alone
inline constexpr unsigned tile_threads = 256;
inline constexpr unsigned per_thread = 8;
inline constexpr unsigned roots_lg = 9;  // the table of roots of unity of a tile
// Two planes of 16-byte halves, one unit of padding after eight.
inline constexpr unsigned plane = (1U << tile_lg) + (1U << tile_lg) / 8;
inline constexpr std::size_t tile_bytes = std::size_t{2} * plane * 16;

// Where a twiddle d * lo is looked up, and when it is applied.
enum class Twiddle { none, before, after };
struct PassArguments {
  Fr* data;
  const Fr* roots;       // w^e, e < 2^roots_lg, w of that order
  const Fr* high;        // [d][lo >> low_bits], or null
  const Fr* low;         // [d][lo & mask]
  unsigned column_bits;  // L: bits below the digit
  unsigned low_bits;
  const Fr* scale_before;  // [d], or null
  const Fr* scale_after;   // [d], or null
};

PINION_DEVICE Fr load(const Fr* at) {
  const uint4* const words = reinterpret_cast<const uint4*>(at);
  const uint4 a = __ldg(words), b = __ldg(words + 1);
  return Fr{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
}
PINION_DEVICE Fr load_data(const Fr* at) {
  const uint4* const words = reinterpret_cast<const uint4*>(at);
  const uint4 a = words[0], b = words[1];
  return Fr{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
}
PINION_DEVICE void store(Fr* at, const Fr& x) {
  uint4* const words = reinterpret_cast<uint4*>(at);
  words[0] = uint4{x.limb[0], x.limb[1], x.limb[2], x.limb[3]};
  words[1] = uint4{x.limb[4], x.limb[5], x.limb[6], x.limb[7]};
}

// Decimation in frequency over 2^K registers: natural order in, register i ends with frequency reverse(i).
template <unsigned K>
PINION_DEVICE void butterflies(Fr* x, const Fr* roots) {
  PINION_UNROLL
  for (unsigned stage = K; stage-- > 0;) {
    const unsigned half = 1U << stage;
    PINION_UNROLL
    for (unsigned i = 0; i < 1U << K; ++i) {
      if ((i & half) != 0) continue;
      const unsigned j = i & (half - 1);
      const Fr difference = x[i] - x[i + half];
      x[i] = x[i] + x[i + half];
      x[i + half] = j == 0 ? difference : difference * load(roots + (j << (roots_lg - 1 - stage)));
    }
  }
}

PINION_BOTH constexpr unsigned reverse_bits(unsigned value, unsigned bits) {
  unsigned out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= (value >> i & 1) << (bits - 1 - i);
  return out;
}

// Stages per round for a digit of `bits`: as many rounds of three as fit, what is left last.
PINION_BOTH constexpr unsigned round_bits(unsigned bits, unsigned round) {
  return round < bits / 3 ? 3 : bits % 3;
}
PINION_BOTH constexpr unsigned round_count(unsigned bits) {
  return (bits + 2) / 3;
}

// Frequency that stands at row `row` after in-place rounds (reverses the rounds' digits).
template <unsigned Bits>
PINION_DEVICE unsigned frequency_of(unsigned row) {
  unsigned out = 0, done = 0;
  PINION_UNROLL
  for (unsigned round = 0; round < round_count(Bits); ++round) {
    const unsigned k = round_bits(Bits, round);
    const unsigned digit = row >> (Bits - done - k) & ((1U << k) - 1);
    out |= digit << done;
    done += k;
  }
  return out;
}

// The row of register `r` in a round: threads of a column are numbered u < 2^Bits / 8, a round of K stages has 8 / 2^K
// groups a thread.
template <unsigned Bits, unsigned Number>
struct Round {
  static constexpr unsigned k = round_bits(Bits, Number);
  static constexpr unsigned sub_lg = Bits - 3 * Number;  // size of the blocks the round splits
  static constexpr unsigned stride_lg = sub_lg - k;      // distance of a group's elements
  static PINION_DEVICE unsigned group(unsigned u, unsigned r) { return u + ((r >> k) << (Bits - 3)); }
  static PINION_DEVICE unsigned place_in_block(unsigned u, unsigned r) { return group(u, r) & ((1U << stride_lg) - 1); }
  static PINION_DEVICE unsigned row(unsigned u, unsigned r) {
    const unsigned g = group(u, r);
    return (g >> stride_lg << sub_lg) + (g & ((1U << stride_lg) - 1)) + ((r & ((1U << k) - 1)) << stride_lg);
  }
};

// Shared memory as the block sees it; columns vary fastest unless the tile's rows lie contiguously in memory.
template <unsigned Bits, bool Contiguous>
struct Exchange {
  uint4* planes;
  unsigned column;
  PINION_DEVICE unsigned unit(unsigned row) const {
    const unsigned index = Contiguous ? (column << Bits) + row : (row << (tile_lg - Bits)) + column;
    return index + (index >> 3);
  }
  PINION_DEVICE void put(unsigned row, const Fr& x) const {
    const unsigned at = unit(row);
    planes[at] = uint4{x.limb[0], x.limb[1], x.limb[2], x.limb[3]};
    planes[plane + at] = uint4{x.limb[4], x.limb[5], x.limb[6], x.limb[7]};
  }
  PINION_DEVICE Fr get(unsigned row) const {
    const unsigned at = unit(row);
    const uint4 a = planes[at], b = planes[plane + at];
    return Fr{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
  }
};

// One round: butterflies, then the twiddles to the blocks below it. Registers r of a group end bit-reversed in place.
template <unsigned Bits, unsigned R>
PINION_DEVICE void run_round(Fr* x, unsigned u, const Fr* roots) {
  using This = Round<Bits, R>;
  PINION_UNROLL
  for (unsigned first = 0; first < per_thread; first += 1U << This::k) butterflies<This::k>(x + first, roots);
  if constexpr (This::stride_lg > 0) {
    PINION_UNROLL
    for (unsigned r = 0; r < per_thread; ++r) {
      const unsigned q = reverse_bits(r & ((1U << This::k) - 1), This::k);
      if (q != 0) x[r] = x[r] * load(roots + ((q * This::place_in_block(u, r)) << (roots_lg - This::sub_lg)));
    }
  }
}

// Where register r of a round's end belongs: the row whose place in the group is the frequency the register holds.
template <unsigned Bits, unsigned R>
PINION_DEVICE unsigned row_after(unsigned u, unsigned r) {
  constexpr unsigned k = Round<Bits, R>::k;
  constexpr unsigned mask = (1U << k) - 1;
  return Round<Bits, R>::row(u, (r & ~mask) | reverse_bits(r & mask, k));
}

template <unsigned Bits, bool Contiguous, unsigned R>
PINION_DEVICE void exchange(Fr* x, unsigned u, const Exchange<Bits, Contiguous>& shared) {
  PINION_UNROLL
  for (unsigned r = 0; r < per_thread; ++r) shared.put(row_after<Bits, R>(u, r), x[r]);
  __syncthreads();
  PINION_UNROLL
  for (unsigned r = 0; r < per_thread; ++r) x[r] = shared.get(Round<Bits, R + 1>::row(u, r));
}

PINION_DEVICE Fr twiddle(const PassArguments& pass, unsigned digit, unsigned low) {
  const Fr fine = load(pass.low + ((digit << pass.low_bits) + (low & ((1U << pass.low_bits) - 1))));
  if (pass.high == nullptr) return fine;
  return fine * load(pass.high + ((digit << (pass.column_bits - pass.low_bits)) + (low >> pass.low_bits)));
}

template <unsigned Bits, bool Contiguous, Twiddle When>
__global__ void __launch_bounds__(tile_threads, 2) transform_tile(const PassArguments pass) {
  constexpr unsigned columns_lg = tile_lg - Bits;
  constexpr unsigned last = round_count(Bits) - 1;
  const unsigned tid = threadIdx.x;
  const unsigned column = Contiguous ? tid >> (Bits - 3) : tid & ((1U << columns_lg) - 1);
  const unsigned u = Contiguous ? tid & ((1U << (Bits - 3)) - 1) : tid >> columns_lg;
  // Contiguous: the tile is 2^columns_lg whole rows. Otherwise: adjacent columns `low` under one upper part of the
  // index.
  const std::size_t lane = (std::size_t{blockIdx.x} << columns_lg) + column;
  const unsigned low = Contiguous ? 0 : static_cast<unsigned>(lane & ((std::size_t{1} << pass.column_bits) - 1));
  Fr* const base = Contiguous ? pass.data + (lane << Bits)
                              : pass.data + ((lane >> pass.column_bits) << (pass.column_bits + Bits)) + low;
  const unsigned row_lg = Contiguous ? 0 : pass.column_bits;
  const Exchange<Bits, Contiguous> shared{shared_memory<uint4>(), column};

  Fr x[per_thread];
  PINION_UNROLL
  for (unsigned r = 0; r < per_thread; ++r) x[r] = load_data(base + (std::size_t{Round<Bits, 0>::row(u, r)} << row_lg));
  PINION_UNROLL
  for (unsigned r = 0; r < per_thread; ++r) {
    const unsigned row = Round<Bits, 0>::row(u, r);
    if constexpr (When == Twiddle::before) x[r] = x[r] * twiddle(pass, row, low);
    if (Contiguous && pass.scale_before != nullptr) x[r] = x[r] * load(pass.scale_before + row);
  }
  run_round<Bits, 0>(x, u, pass.roots);
  exchange<Bits, Contiguous, 0>(x, u, shared);
  run_round<Bits, 1>(x, u, pass.roots);
  if constexpr (last == 2) {
    exchange<Bits, Contiguous, 1>(x, u, shared);
    run_round<Bits, 2>(x, u, pass.roots);
  }
  PINION_UNROLL
  for (unsigned r = 0; r < per_thread; ++r) {
    const unsigned frequency = frequency_of<Bits>(row_after<Bits, last>(u, r));
    if constexpr (When == Twiddle::after) x[r] = x[r] * twiddle(pass, frequency, low);
    if (Contiguous && pass.scale_after != nullptr) x[r] = x[r] * load(pass.scale_after + frequency);
    store(base + (std::size_t{frequency} << row_lg), x[r]);
  }
}

}  // namespace pinion::cuda::ntt
