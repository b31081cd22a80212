// The tables of a domain: roots of unity of a tile, and for each digit but the last the twiddles, with the powers of
// the coset shift and 1/n multiplied in.
#include "ntt.hpp"
#include "ntt_tile.cuh"

namespace pinion::cuda {
namespace {

PINION_DEVICE Fr squared(Fr x, unsigned times) {
  for (unsigned i = 0; i < times; ++i) x = x * x;
  return x;
}
PINION_DEVICE Fr root_of_order(unsigned lg_order, bool inverse) {
  const Fr root =
      inverse ? Fr{{0xdcf3219a, 0x4256481a, 0x96b6cad3, 0x45f37b7f, 0x5f7a3b27, 0xf9c3f1d7, 0x658afd43, 0x2d2fc049}}
              : Fr{{0x5f0e466a, 0xb9b58d8c, 0x1819d7ec, 0x5b1b4c80, 0x52a31e64, 0x0af53ae3, 0x19e9b27b,
                    0x5bf3adda}};  // of order 2^32
  return squared(root, 32 - lg_order);
}
PINION_DEVICE Fr coset_shift(bool inverse) {  // 7
  return inverse ? Fr{{0xdb6db6dc, 0xdb6db6da, 0xdb6cc6da, 0xe6b5824a, 0x05810db9, 0xf8b356e0, 0x60ec4796, 0x66d0f1e6}}
                 : Fr{{0xfffffff1, 0x0000000e, 0x00189c0f, 0x17e363d3, 0x6f8457b0, 0xff9c5787, 0x8fc5a8c4, 0x35133220}};
}
PINION_DEVICE Fr one_half() {
  return Fr{{0xffffffff, 0x00000000, 0x0001a401, 0xac425bfd, 0xf65e27fa, 0xccc627f7, 0xd66282b7, 0x0c1258ac}};
}

// Factors w^(row * column * 2^unit_lg) * s^column * 2^-halvings, w of order 2^lg_order (0: w = 1), s the coset shift to
// the power 2^shift_lg or 1; rows from first_row on, of 2^length_lg columns.
struct Powers {
  unsigned length_lg, lg_order, unit_lg, shift_lg, halvings;
  bool inverse, coset;
  unsigned first_row = 0;
};

__global__ void fill_factors(uint4* out, std::size_t count, Powers powers) {
  for (std::size_t i = global_thread(); i < count; i += global_threads()) {
    const u64 row = i >> powers.length_lg, column = i & ((u64{1} << powers.length_lg) - 1);
    const u64 exponent = ((row + powers.first_row) * column) << powers.unit_lg;
    Fr x = fr_pow(root_of_order(powers.lg_order, powers.inverse), exponent);
    if (powers.coset) x = x * fr_pow(squared(coset_shift(powers.inverse), powers.shift_lg), column);
    if (powers.halvings != 0) x = x * fr_pow(one_half(), powers.halvings);
    ntt::store_factor(out + (row * ntt::quarters << powers.length_lg), 1U << powers.length_lg,
                      static_cast<unsigned>(column), factor_of(x));
  }
}

// 1 / (7^n - 1) = (7^n - 1)^(r - 2), n = 2^lg_size
__global__ void fill_quotient_factor(Fr* out, unsigned lg_size) {
  const Fr x = squared(coset_shift(false), lg_size) - fr_one();
  u32 r[8];
  fr_modulus(r);
  Fr inverse = fr_one();
  for (unsigned bit = 255; bit-- > 0;) {
    inverse = inverse * inverse;
    const u32 word = bit < 32 ? 0xffffffff : r[bit / 32];  // r - 2 ends in 0xfffffffe_ffffffff
    const u32 second = bit / 32 == 1 ? 0xfffffffe : word;
    if ((second >> (bit % 32) & 1) != 0) inverse = inverse * x;
  }
  out[0] = inverse;
}

}  // namespace

NttDigits::NttDigits(unsigned lg_size) {
  count = lg_size <= ntt::small_lg ? 1 : (lg_size + 8) / 9;
  for (unsigned i = 0; i < count; ++i) bits[i] = lg_size / count + (i < lg_size % count ? 1 : 0);
}

std::size_t permuted_index(unsigned lg_size, std::size_t position) {
  const NttDigits digits(lg_size);
  std::size_t index = 0;
  unsigned above = lg_size, below = 0;
  for (unsigned i = 0; i < digits.count; ++i) {
    above -= digits.bits[i];
    index |= (position >> above & ((std::size_t{1} << digits.bits[i]) - 1)) << below;
    below += digits.bits[i];
  }
  return index;
}

struct Ntt::Builder {
  Arena* arena;  // null: only counts
  Stream stream;
  std::size_t bytes = 0;

  Status table(const uint4*& out, std::size_t rows, const Powers& powers) {
    const std::size_t count = rows << powers.length_lg;
    bytes += Arena::padded(count * sizeof(FrFactor));
    if (arena == nullptr) return {};
    uint4* memory = nullptr;
    PINION_TRY(arena->take(memory, count * ntt::quarters, "the tables of the transforms"));
    out = memory;
    return launch("tables of the transforms", fill_factors, {blocks_for(count, 128), 128}, stream, memory, count,
                  powers);
  }

  // One table after the other, as ntt::round_factors says.
  Status rounds(const uint4*& out) {
    const std::size_t quarters = ntt::round_factors(ntt::largest_digit + 1);
    bytes += Arena::padded(quarters * sizeof(uint4));
    if (arena == nullptr) return {};
    uint4* memory = nullptr;
    PINION_TRY(arena->take(memory, quarters, "the tables of the transforms"));
    out = memory;
    for (unsigned sub_lg = 4; sub_lg <= ntt::largest_digit; ++sub_lg)
      PINION_TRY(launch("tables of the transforms", fill_factors, {1U << (sub_lg - 3), 8}, stream,
                        memory + ntt::round_factors(sub_lg), std::size_t{7} << (sub_lg - 3),
                        Powers{sub_lg - 3, sub_lg, 0, 0, 0, false, false, 1}));
    return {};
  }

  Status kind(Tables& tables, unsigned lg_size, bool inverse, bool coset) {
    const NttDigits digits(lg_size);
    if (digits.count == 1)
      PINION_TRY(table(tables.roots, 2, {ntt::small_lg - 1, ntt::small_lg, 0, 0, 0, inverse, false}));
    unsigned halvings = inverse ? lg_size : 0, below = lg_size, above = 0;
    for (unsigned i = 0; i + 1 < digits.count; ++i) {
      const unsigned bits = digits.bits[i];
      below -= bits;
      const unsigned low = below < low_table_bits ? below : low_table_bits;
      tables.passes[i].low_bits = low;
      // Scaling goes into one of the two.
      if (below > low)
        PINION_TRY(table(tables.passes[i].high, std::size_t{1} << (below - low),
                         {bits, below + bits, low, above, halvings, inverse, coset}));
      const bool scaled = below > low;
      PINION_TRY(table(tables.passes[i].low, std::size_t{1} << low,
                       {bits, below + bits, 0, above, scaled ? 0 : halvings, inverse, coset && !scaled}));
      halvings = 0;
      above += bits;
    }
    if (!coset && halvings == 0) return {};
    const unsigned last = digits.count - 1;
    return table(tables.passes[last].low, 1, {digits.bits[last], 0, 0, above, halvings, inverse, coset});
  }

  Status all(std::array<Tables, kinds>& tables, const uint4*& round_factors, const Fr*& quotient_factor,
             unsigned lg_size) {
    bytes += Arena::padded(sizeof(Fr));
    if (arena != nullptr) {
      Fr* memory = nullptr;
      PINION_TRY(arena->take(memory, 1, "the tables of the transforms"));
      quotient_factor = memory;
      PINION_TRY(launch("tables of the transforms", fill_quotient_factor, {1, 1}, stream, memory, lg_size));
    }
    PINION_TRY(rounds(round_factors));
    for (const bool inverse : {false, true})
      for (const bool coset : {false, true}) PINION_TRY(kind(tables[inverse * 2 + coset], lg_size, inverse, coset));
    return {};
  }
};

std::size_t Ntt::table_bytes(unsigned lg_size) {
  Builder count{nullptr, nullptr};
  std::array<Tables, kinds> none{};
  const uint4* no_rounds = nullptr;
  const Fr* no_factor = nullptr;
  return count.all(none, no_rounds, no_factor, lg_size).ok() ? count.bytes : 0;
}

Status Ntt::build(unsigned lg_size, Arena& arena, Stream stream) {
  if (lg_size > max_lg_size)
    return {Status::bad_argument, "a transform of 2^" + std::to_string(lg_size) +
                                      " elements was asked for; at most 2^" + std::to_string(max_lg_size) + " fit"};
  lg_size_ = lg_size;
  Builder builder{&arena, stream};
  return builder.all(tables_, rounds_, quotient_factor_, lg_size);
}

}  // namespace pinion::cuda
