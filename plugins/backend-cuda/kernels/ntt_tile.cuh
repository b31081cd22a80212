// One pass of a transform: every column of one digit of the index, transformed in place. A block holds a tile of 2^10
// elements, 2^bits rows of adjacent columns; in each round a thread does three butterfly stages on eight elements in
// registers. The first round reads from device memory and the last writes to it; in between the tile is in shared
// memory. Rounds but the last are a loop, not unrolled: straight-line code of a whole pass does not fit the instruction
// cache (measured: twice the time).
#pragma once

#include "fr_factor.cuh"
#include "launch.cuh"
#include "parameters.hpp"

namespace pinion::cuda::ntt {

inline constexpr unsigned small_lg = 11;  // largest size that one block does alone
inline constexpr unsigned per_thread = 8;
inline constexpr unsigned tile_threads = (1U << tile_lg) / per_thread;
inline constexpr unsigned largest_digit = 9;
// Two planes of 16-byte halves; a unit of padding after 8 and after 64, so that rows at either distance fall into
// different banks.
PINION_BOTH constexpr unsigned padded(unsigned index) {
  return index + (index >> 3) + (index >> 6);
}
inline constexpr unsigned plane = (1U << tile_lg) + (1U << (tile_lg - 3)) + (1U << (tile_lg - 6));
inline constexpr std::size_t tile_bytes = std::size_t{2} * plane * 16;

// Factors lie in tables of rows: row r has `length` factors, as four runs of 16-byte quarters (value, quotient), so
// that neighbours are loaded together.
inline constexpr unsigned quarters = 4;

struct PassArguments {
  const Fr* from;  // may be `to`
  Fr* to;
  const Fr* times;  // null, or multiplies what is read
  const Fr* minus;  // null, or subtracted from what is written, which is then multiplied by *factor
  const Fr* factor;
  const uint4* rounds;   // see round_factors()
  const uint4* high;     // twiddles or scaling, null: none; row lo >> low_bits, column d
  const uint4* low;      // the same, row lo & mask
  unsigned column_bits;  // of the index, below the digit
  unsigned low_bits;
  unsigned first_block;  // of a pass that is done in parts: how many blocks the parts before it have
  bool inverse;          // frequencies are negated: the inverse of a digit's transform
  bool last;             // of the transform: results are reduced, between passes they are below 2 r
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
PINION_DEVICE FrFactor load_factor(const uint4* row, unsigned length, unsigned column) {
  const uint4 a = __ldg(row + column), b = __ldg(row + length + column);
  const uint4 c = __ldg(row + 2 * length + column), d = __ldg(row + 3 * length + column);
  return FrFactor{Fr{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}}, Fr{{c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w}}};
}
PINION_DEVICE void store_factor(uint4* row, unsigned length, unsigned column, const FrFactor& x) {
  const u32 *const v = x.value.limb, *const q = x.quotient.limb;
  row[column] = uint4{v[0], v[1], v[2], v[3]};
  row[length + column] = uint4{v[4], v[5], v[6], v[7]};
  row[2 * length + column] = uint4{q[0], q[1], q[2], q[3]};
  row[3 * length + column] = uint4{q[4], q[5], q[6], q[7]};
}

PINION_BOTH constexpr unsigned reverse_bits(unsigned value, unsigned bits) {
  unsigned out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= (value >> i & 1) << (bits - 1 - i);
  return out;
}

// The factors of the rounds that start blocks of 2^sub_lg rows, 3 < sub_lg <= largest_digit: rows r = 1 … 7 of w^(r
// place), place < 2^(sub_lg - 3), w of order 2^sub_lg. Tables of all sub_lg one after the other.
PINION_BOTH constexpr unsigned round_factors(unsigned sub_lg) {  // in units of 16 bytes
  return 7 * quarters * ((1U << (sub_lg - 3)) - 2);
}

// x w^exponent for the root w of order 8.
PINION_DEVICE Fr times_eighth_root(const Fr& x, unsigned exponent) {
  constexpr FrFactor root = {
      {{0x97743f7a, 0x7228fd33, 0x8713b700, 0xb38b21c2, 0x70d77ce2, 0x8c0625cd, 0x03fa66e7, 0x345766f6}},
      {{0xd3bd1008, 0x64edc672, 0x1999fc23, 0x21f5db5d, 0x424ba5cd, 0x310b6160, 0x543596b7, 0x73956000}}};
  constexpr FrFactor cube = {
      {{0xae99502e, 0x6037fe81, 0x94b04fd8, 0x8e749036, 0xca86bf65, 0xbabc5aff, 0x5ce11044, 0x1333b22e}},
      {{0xc14d5723, 0xb02dbee0, 0xe537c9c3, 0x0585acd9, 0xaa0ea4ec, 0xd04eec17, 0xbe7677a2, 0x2a672393}}};
  return exponent == 0 ? x : exponent == 1 ? x * root : exponent == 2 ? times_fourth_root(x) : x * cube;
}

// Decimation in frequency over 2^K registers, K <= 3: natural order in, register i ends with frequency reverse(i).
template <unsigned K>
PINION_DEVICE void butterflies(Fr* x) {
  PINION_UNROLL
  for (unsigned stage = K; stage-- > 0;) {
    const unsigned half = 1U << stage;
    PINION_UNROLL
    for (unsigned i = 0; i < 1U << K; ++i) {
      if ((i & half) != 0) continue;
      const unsigned exponent = (i & (half - 1)) * (4 >> stage);
      const Fr a = x[i], b = x[i + half];
      x[i] = lazy::add(a, b);
      x[i + half] = times_eighth_root(lazy::sub(a, b), exponent);
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

// Where the tile of a block lies, and which part of it a thread has: column `column` of the tile, and the u-th of the
// 2^Bits / 8 sets of eight rows.
template <unsigned Bits, bool Contiguous>
struct Place {
  std::size_t base;  // of the thread's column, in the vector
  unsigned low;      // what the index has below the digit in that column
  unsigned column, u;
  PINION_DEVICE explicit Place(const PassArguments& pass) {
    constexpr unsigned columns_lg = tile_lg - Bits;
    column = Contiguous ? threadIdx.x >> (Bits - 3) : threadIdx.x & ((1U << columns_lg) - 1);
    u = Contiguous ? threadIdx.x & ((1U << (Bits - 3)) - 1) : threadIdx.x >> columns_lg;
    const std::size_t lane = (std::size_t{pass.first_block + blockIdx.x} << columns_lg) + column;
    low = Contiguous ? 0 : static_cast<unsigned>(lane & ((std::size_t{1} << pass.column_bits) - 1));
    base = Contiguous ? lane << Bits : ((lane >> pass.column_bits) << (pass.column_bits + Bits)) + low;
  }
  PINION_DEVICE std::size_t row(const PassArguments& pass, unsigned row) const {
    return base + (Contiguous ? std::size_t{row} : std::size_t{row} << pass.column_bits);
  }
};

// x times what is not of the rounds, for a digit: twiddles, or the last digit's scaling.
template <unsigned Bits>
PINION_DEVICE Fr scaled(Fr x, const PassArguments& pass, unsigned low, unsigned digit) {
  const auto row_of = [](const uint4* table, unsigned row) {
    return table == nullptr ? nullptr : table + (std::size_t{row} * quarters << Bits);
  };
  const uint4* table = row_of(pass.low, low & ((1U << pass.low_bits) - 1));
  const uint4* next = row_of(pass.high, low >> pass.low_bits);
  PINION_UNROLL_BY(1)
  for (; table != nullptr; table = next, next = nullptr) x = x * load_factor(table, 1U << Bits, digit);
  return x;
}

// The work of one thread in a pass. Between rounds all elements are in shared memory; every product with a table's
// factor is in a loop of its own over the thread's eight elements there: with all of them in registers beside a product
// and its factor, fewer blocks fit, and the code outgrows the instruction cache.
template <unsigned Bits, bool Contiguous>
struct Worker {
  static constexpr unsigned last_bits = Bits % 3 == 0 ? 3 : Bits % 3, group = 1U << last_bits;  // of the last round
  const PassArguments& pass;
  Tile<Bits, Contiguous> tile;
  Place<Bits, Contiguous> place;

  PINION_DEVICE explicit Worker(const PassArguments& arguments)
      : pass(arguments), tile{shared_memory<uint4>()}, place(arguments) {}
  PINION_DEVICE unsigned unit(unsigned row) const { return tile.unit(row, place.column); }
  // The lowest frequency of the group that the thread's element i is in.
  PINION_DEVICE unsigned group_of(unsigned i) const { return place.u + ((i >> last_bits) << (Bits - 3)); }

  // The rows of the first round.
  PINION_DEVICE unsigned row_read(unsigned r) const { return place.u + (r << (Bits - 3)); }
  PINION_DEVICE void read(Fr* x) const {
    PINION_UNROLL
    for (unsigned r = 0; r < per_thread; ++r) x[r] = load_data(pass.from + place.row(pass, row_read(r)));
  }
  // Reads them into shared memory, multiplied.
  PINION_DEVICE void put_multiplied(bool twiddles) const {
    Fr all[per_thread];
    read(all);
    PINION_UNROLL
    for (unsigned r = 0; r < per_thread; ++r) tile.put(unit(row_read(r)), all[r]);
    PINION_UNROLL_BY(1)
    for (unsigned r = 0; r < per_thread; ++r) {
      const unsigned row = row_read(r);
      Fr x = tile.get(unit(row));
      if (pass.times != nullptr) x = x * load_data(pass.times + place.row(pass, row));
      if (twiddles) x = scaled<Bits>(x, pass, place.low, row);
      tile.put(unit(row), x);
    }
  }

  // Three stages on blocks of 2^sub_lg rows, and the factors to the blocks an eighth of that. In the last round a
  // thread takes the rows that it writes afterwards.
  PINION_DEVICE unsigned row_of_round(unsigned sub_lg) const {
    const unsigned stride_lg = sub_lg - 3, spot = place.u & ((1U << stride_lg) - 1);
    return stride_lg == 0 ? row_of<Bits>(place.u) : (place.u >> stride_lg << sub_lg) + spot;
  }
  PINION_DEVICE void get(Fr* x, unsigned sub_lg) const {
    const unsigned row = row_of_round(sub_lg);
    PINION_UNROLL
    for (unsigned r = 0; r < per_thread; ++r) x[r] = tile.get(unit(row + (r << (sub_lg - 3))));
  }
  PINION_DEVICE void round(Fr* x, unsigned sub_lg) const {
    const unsigned row = row_of_round(sub_lg), stride_lg = sub_lg - 3, stride = 1U << stride_lg;
    butterflies<3>(x);
    PINION_UNROLL
    for (unsigned r = 0; r < per_thread; ++r) tile.put(unit(row + (reverse_bits(r, 3) << stride_lg)), x[r]);
    if (stride_lg == 0) return;
    const uint4* factors = pass.rounds + round_factors(sub_lg);
    PINION_UNROLL_BY(1)
    for (unsigned r = 1; r < per_thread; ++r, factors += quarters << stride_lg) {
      const unsigned at = unit(row + (r << stride_lg));
      tile.put(at, tile.get(at) * load_factor(factors, stride, place.u & (stride - 1)));
    }
  }
  // The stages that three does not divide: groups of adjacent rows.
  PINION_DEVICE void last_round() const {
    PINION_UNROLL_BY(1)
    for (unsigned i = 0; i < per_thread; i += group) {
      const unsigned row = row_of<Bits>(group_of(i));
      Fr x[group];
      PINION_UNROLL
      for (unsigned r = 0; r < group; ++r) x[r] = tile.get(unit(row + r));
      butterflies<last_bits>(x);
      PINION_UNROLL
      for (unsigned r = 0; r < group; ++r) tile.put(unit(row + reverse_bits(r, last_bits)), x[r]);
    }
  }
  PINION_DEVICE void write(bool twiddles) const {
    PINION_UNROLL_BY(1)
    for (unsigned i = 0; i < per_thread; ++i) {
      const unsigned r = i & (group - 1), frequency = group_of(i) + (r << (Bits - last_bits));
      const unsigned digit = (pass.inverse ? 0 - frequency : frequency) & ((1U << Bits) - 1);
      Fr x = tile.get(unit(row_of<Bits>(group_of(i)) + r));
      if (twiddles) x = scaled<Bits>(x, pass, place.low, digit);
      const std::size_t at = place.row(pass, digit);
      if (pass.minus != nullptr) x = lazy::sub(x, load_data(pass.minus + at)) * load(pass.factor);
      store(pass.to + at, pass.last ? lazy::reduced(x) : x);
    }
  }
};

// Before: multiplied by `scaled` when read, else when written.
template <unsigned Bits, bool Contiguous, bool Before>
__global__ void __launch_bounds__(tile_threads, tile_blocks) transform_tile(const PassArguments pass) {
  const Worker<Bits, Contiguous> worker(pass);
  const bool straight = !Before && pass.times == nullptr;  // from device memory to the first round
  if (!straight) worker.put_multiplied(Before);
  PINION_UNROLL_BY(1)
  for (unsigned sub_lg = Bits; sub_lg >= 3; sub_lg -= 3) {
    Fr x[per_thread];  // set on every path: eight elements kept over the loop of products would not fit
    if (straight && sub_lg == Bits) {
      worker.read(x);
    } else {
      if (sub_lg != Bits) __syncthreads();
      worker.get(x, sub_lg);
    }
    worker.round(x, sub_lg);
  }
  if constexpr (Bits % 3 != 0) {
    __syncthreads();
    worker.last_round();
  }
  worker.write(!Before);
}

}  // namespace pinion::cuda::ntt
