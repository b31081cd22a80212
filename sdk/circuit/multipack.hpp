// Bits packed into field elements, and the bit orders between field elements and byte-wise hashes.
// Sources: bellpepper-core 0.2 gadgets/multipack.rs; storage-proofs-core util.rs (reverse_bit_numbering).
#pragma once

#include <algorithm>
#include <span>

#include "num.hpp"

namespace pinion::circuit {

// Bits of a field element that always fit: Fr's capacity.
inline constexpr std::size_t fr_capacity = 254;

namespace detail {
// Sum of 2^i * bits[i]; at most 254 bits, whose values are kept.
inline Fr packed_value(std::span<const Boolean> bits) {
  bls::Limbs limbs{};
  for (std::size_t i = 0; i < bits.size(); ++i) limbs[i / 64] |= std::uint64_t{bits[i].value} << (i % 64);
  return Fr::from_canonical(limbs);
}
}  // namespace detail

// (sum of 2^i * bits[i]) * 1 = packed; at most 255 bits, lowest first.
template <ConstraintSystem CS>
void enforce_packed(CS& cs, std::span<const Boolean> bits, const Num& packed) {
  cs.enforce(
      [&](auto& lc) {
        for (std::size_t i = 0; i < bits.size(); ++i) add_boolean(lc, bits[i], powers_of_two[i]);
      },
      [](auto& lc) { lc.add_constant(fr_one); }, [&](auto& lc) { lc.add(packed.variable); });
}

// A new num with the value of at most 254 bits, lowest first.
template <ConstraintSystem CS>
Num pack_bits(CS& cs, std::span<const Boolean> bits) {
  Num num;
  if constexpr (CS::keeps_values) num.value = detail::packed_value(bits);
  num.variable = cs.alloc_scalar(num.value);
  enforce_packed(cs, bits, num);
  return num;
}

// As many public inputs as chunks of 254 bits.
template <ConstraintSystem CS>
void pack_into_inputs(CS& cs, std::span<const Boolean> bits) {
  for (std::size_t at = 0; at < bits.size(); at += fr_capacity) {
    const auto chunk = bits.subspan(at, std::min(fr_capacity, bits.size() - at));
    Fr value;
    if constexpr (CS::keeps_values) value = detail::packed_value(chunk);
    enforce_packed(cs, chunk, Num{value, cs.alloc_input(value)});
  }
}

// Between lowest bit first and each byte's highest bit first: pads with constant zeros to whole bytes and reverses the
// bits of each. Its own inverse for whole bytes.
inline Bits reverse_bit_numbering(Bits bits) {
  while (bits.size() % 8 != 0) bits.push_back(Boolean::constant(false));
  for (std::size_t at = 0; at < bits.size(); at += 8)
    std::reverse(bits.begin() + static_cast<std::ptrdiff_t>(at), bits.begin() + static_cast<std::ptrdiff_t>(at + 8));
  return bits;
}

// The 256 bits of num in the order in which a byte-wise hash takes its 32 little-endian bytes.
template <ConstraintSystem CS>
Bits to_bytes_le(CS& cs, const Num& num) {
  return reverse_bit_numbering(to_bits_le(cs, num));
}

}  // namespace pinion::circuit
