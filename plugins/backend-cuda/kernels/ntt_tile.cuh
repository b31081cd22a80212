// One pass of a transform: every column of one digit of the index, transformed in place. A block holds a tile of 2^10
// elements, 2^bits rows of adjacent columns, in shared memory; in each round a thread does three butterfly stages on
// eight elements in registers. Rounds are a loop, not unrolled: a pass as straight-line code is a quarter of a
// megabyte, and its warps wait for instructions more than for anything else (measured: twice the time).
#pragma once

#include "fr.cuh"
#include "launch.cuh"
#include "parameters.hpp"

namespace pinion::cuda::ntt {

inline constexpr unsigned small_lg = 11;  // largest size that one block does alone
inline constexpr unsigned per_thread = 8;
inline constexpr unsigned tile_threads = (1U << tile_lg) / per_thread;
inline constexpr unsigned roots_lg = 9;  // the table of roots of unity of a tile
// Two planes of 16-byte halves; a unit of padding after 8 and after 64, so that rows at either distance fall into
// different banks.
PINION_BOTH constexpr unsigned padded(unsigned index) {
  return index + (index >> 3) + (index >> 6);
}
inline constexpr unsigned plane = (1U << tile_lg) + (1U << (tile_lg - 3)) + (1U << (tile_lg - 6));
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
  Fr eighth_roots[3];      // w, w^2, w^3, w of order 8
  bool last;               // of the transform: results are reduced, between passes they are below 2 r
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

PINION_BOTH constexpr unsigned reverse_bits(unsigned value, unsigned bits) {
  unsigned out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= (value >> i & 1) << (bits - 1 - i);
  return out;
}

// Decimation in frequency over 2^K registers, K <= 3: natural order in, register i ends with frequency reverse(i).
template <unsigned K>
PINION_DEVICE void butterflies(Fr* x, const Fr* eighth_roots) {
  PINION_UNROLL
  for (unsigned stage = K; stage-- > 0;) {
    const unsigned half = 1U << stage;
    PINION_UNROLL
    for (unsigned i = 0; i < 1U << K; ++i) {
      if ((i & half) != 0) continue;
      const unsigned exponent = (i & (half - 1)) * (4 >> stage);
      const Fr difference = lazy::sub(x[i], x[i + half]);
      x[i] = lazy::add(x[i], x[i + half]);
      x[i + half] = exponent == 0 ? difference : multiply_unreduced(difference, eighth_roots[exponent - 1]);
    }
  }
}

// The row where `frequency` stands when all rounds are done in place: the rounds' digits reversed. Rounds take three
// bits each, the last what is left.
template <unsigned Bits>
PINION_DEVICE unsigned row_of(unsigned frequency) {
  unsigned out = 0;
  PINION_UNROLL
  for (unsigned done = 0; done < Bits; done += 3) {
    const unsigned k = Bits - done < 3 ? Bits - done : 3;
    out |= (frequency >> done & ((1U << k) - 1)) << (Bits - done - k);
  }
  return out;
}

// The tile in shared memory; columns vary fastest unless its rows lie contiguously in device memory.
template <unsigned Bits, bool Contiguous>
struct Tile {
  static constexpr unsigned columns_lg = tile_lg - Bits;
  uint4* planes;

  static PINION_DEVICE unsigned unit(unsigned row, unsigned column) {
    return padded(Contiguous ? (column << Bits) + row : (row << columns_lg) + column);
  }
  PINION_DEVICE void put(unsigned at, const Fr& x) const {
    planes[at] = uint4{x.limb[0], x.limb[1], x.limb[2], x.limb[3]};
    planes[plane + at] = uint4{x.limb[4], x.limb[5], x.limb[6], x.limb[7]};
  }
  PINION_DEVICE Fr get(unsigned at) const {
    const uint4 a = planes[at], b = planes[plane + at];
    return Fr{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
  }
};

// Three stages on blocks of 2^sub_lg rows, then the twiddles to the blocks an eighth of that. Threads of a column are
// numbered u < 2^Bits / 8.
template <unsigned Bits, bool Contiguous>
PINION_DEVICE void round_of_three(const Tile<Bits, Contiguous>& tile, const PassArguments& pass, unsigned u,
                                  unsigned column, unsigned sub_lg) {
  const unsigned stride_lg = sub_lg - 3, place = u & ((1U << stride_lg) - 1);
  const unsigned row = (u >> stride_lg << sub_lg) + place;
  Fr x[per_thread];
  PINION_UNROLL
  for (unsigned r = 0; r < per_thread; ++r) x[r] = tile.get(tile.unit(row + (r << stride_lg), column));
  butterflies<3>(x, pass.eighth_roots);
  if (stride_lg > 0) {
    PINION_UNROLL
    for (unsigned r = 1; r < per_thread; ++r)
      x[r] = multiply_unreduced(x[r], load(pass.roots + ((reverse_bits(r, 3) * place) << (roots_lg - sub_lg))));
  }
  PINION_UNROLL
  for (unsigned r = 0; r < per_thread; ++r) tile.put(tile.unit(row + (reverse_bits(r, 3) << stride_lg), column), x[r]);
}

// The last one or two stages of a digit that three does not divide: adjacent rows, no twiddles.
template <unsigned Bits, bool Contiguous>
PINION_DEVICE void last_round(const Tile<Bits, Contiguous>& tile, const PassArguments& pass, unsigned u,
                              unsigned column) {
  constexpr unsigned k = Bits % 3, size = 1U << k;
  for (unsigned group = u; group < (1U << Bits) / size; group += (1U << Bits) / per_thread) {
    Fr x[size];
    PINION_UNROLL
    for (unsigned r = 0; r < size; ++r) x[r] = tile.get(tile.unit(group * size + r, column));
    butterflies<k>(x, pass.eighth_roots);
    PINION_UNROLL
    for (unsigned r = 0; r < size; ++r) tile.put(tile.unit(group * size + reverse_bits(r, k), column), x[r]);
  }
}

PINION_DEVICE Fr apply_twiddle(const Fr& x, const PassArguments& pass, unsigned digit, unsigned low) {
  const Fr out =
      multiply_unreduced(x, load(pass.low + ((digit << pass.low_bits) + (low & ((1U << pass.low_bits) - 1)))));
  if (pass.high == nullptr) return out;
  return multiply_unreduced(out,
                            load(pass.high + ((digit << (pass.column_bits - pass.low_bits)) + (low >> pass.low_bits))));
}

// Where the tile of a block lies: element (row, column) at base + (row << row_lg) + column (Contiguous: base + (column
// << Bits) + row); `low` is what the index has below the digit in column 0.
template <unsigned Bits, bool Contiguous>
struct Place {
  std::size_t base;
  unsigned low;
  PINION_DEVICE explicit Place(const PassArguments& pass) {
    const std::size_t lane = std::size_t{blockIdx.x} << (tile_lg - Bits);
    low = Contiguous ? 0 : static_cast<unsigned>(lane & ((std::size_t{1} << pass.column_bits) - 1));
    base = Contiguous ? lane << Bits : ((lane >> pass.column_bits) << (pass.column_bits + Bits)) + low;
  }
};

template <unsigned Bits, bool Contiguous, Twiddle When>
__global__ void __launch_bounds__(tile_threads, tile_blocks) transform_tile(const PassArguments pass) {
  constexpr unsigned columns_lg = tile_lg - Bits;
  const Tile<Bits, Contiguous> tile{shared_memory<uint4>()};
  const Place<Bits, Contiguous> place(pass);
  const auto row_of_element = [](unsigned e) { return Contiguous ? e & ((1U << Bits) - 1) : e >> columns_lg; };
  const auto column_of_element = [](unsigned e) { return Contiguous ? e >> Bits : e & ((1U << columns_lg) - 1); };
  const auto address = [&](unsigned row, unsigned column) {
    return pass.data + place.base +
           (Contiguous ? std::size_t{(column << Bits) + row} : (std::size_t{row} << pass.column_bits) + column);
  };

  PINION_UNROLL_BY(2)
  for (unsigned e = threadIdx.x; e < 1U << tile_lg; e += tile_threads) {
    const unsigned row = row_of_element(e), column = column_of_element(e);
    Fr x = load_data(address(row, column));
    if constexpr (When == Twiddle::before) x = apply_twiddle(x, pass, row, place.low + column);
    if (Contiguous && pass.scale_before != nullptr) x = multiply_unreduced(x, load(pass.scale_before + row));
    tile.put(tile.unit(row, column), x);
  }
  const unsigned column = Contiguous ? threadIdx.x >> (Bits - 3) : threadIdx.x & ((1U << columns_lg) - 1);
  const unsigned u = Contiguous ? threadIdx.x & ((1U << (Bits - 3)) - 1) : threadIdx.x >> columns_lg;
  PINION_UNROLL_BY(1)
  for (unsigned sub_lg = Bits; sub_lg >= 3; sub_lg -= 3) {
    __syncthreads();
    round_of_three(tile, pass, u, column, sub_lg);
  }
  __syncthreads();
  if constexpr (Bits % 3 != 0) {
    last_round(tile, pass, u, column);
    __syncthreads();
  }
  PINION_UNROLL_BY(2)
  for (unsigned e = threadIdx.x; e < 1U << tile_lg; e += tile_threads) {
    const unsigned frequency = row_of_element(e), to = column_of_element(e);
    Fr x = tile.get(tile.unit(row_of<Bits>(frequency), to));
    if constexpr (When == Twiddle::after) x = apply_twiddle(x, pass, frequency, place.low + to);
    if (Contiguous && pass.scale_after != nullptr) x = multiply_unreduced(x, load(pass.scale_after + frequency));
    if (pass.last) x = lazy::reduced(x);
    store(address(frequency, to), x);
  }
}

}  // namespace pinion::cuda::ntt
