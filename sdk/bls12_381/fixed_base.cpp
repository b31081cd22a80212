#include "fixed_base.hpp"

#include <algorithm>
#include <cassert>

namespace pinion::bls {

namespace {

// Sums made at once: with their table entries, they fit into the L2 cache.
template <class Field>
constexpr std::size_t batch_size = std::size_t{196608} / sizeof(Affine<Field>);

// min(k, r - k) with the sign, so that 254 bits and a sign remain; the modulus is odd, the two never equal.
struct SignedScalar {
  Limbs magnitude;
  bool negative;
};

SignedScalar signed_scalar(const Fr& scalar) {
  const Limbs k = scalar.to_canonical();
  Limbs opposite{};
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < 4; ++i) opposite[i] = detail::sub_borrow(Fr::modulus()[i], k[i], borrow);
  std::uint64_t less = 0;
  for (std::size_t i = 0; i < 4; ++i) detail::sub_borrow(opposite[i], k[i], less);
  return less != 0 ? SignedScalar{opposite, true} : SignedScalar{k, false};
}

// Bits [at, at + count) of a, zeros above; count <= 20.
std::uint32_t bits_of(const Limbs& a, unsigned at, unsigned count) {
  const unsigned limb = at / 64, shift = at % 64;
  if (limb >= 4) return 0;
  std::uint64_t out = a[limb] >> shift;
  if (shift + count > 64 && limb + 1 < 4) out |= a[limb + 1] << (64 - shift);
  return static_cast<std::uint32_t>(out) & ((1U << count) - 1);
}

// digits[w * stride + i] for all windows w of scalar i, each in [-2^(bits-1), 2^(bits-1)].
void recode(const Fr& scalar, unsigned bits, unsigned windows, std::int32_t* digits, std::size_t stride) {
  const SignedScalar k = signed_scalar(scalar);
  const std::int32_t half = std::int32_t{1} << (bits - 1);
  std::int32_t carry = 0;
  for (unsigned w = 0; w < windows; ++w) {
    std::int32_t digit = static_cast<std::int32_t>(bits_of(k.magnitude, w * bits, bits)) + carry;
    carry = digit > half ? 1 : 0;
    digit -= carry << bits;
    digits[w * stride] = k.negative ? -digit : digit;
  }
  assert(carry == 0);  // the magnitude is below 2^254: the top window, with a bit to spare, absorbs it
}

}  // namespace

template <class Field>
FixedBaseTable<Field>::FixedBaseTable(const Affine<Field>& base, unsigned window_bits, Executor& executor)
    : window_bits_(window_bits), entries_(windows() * window_entries()) {
  assert(window_bits >= 2 && window_bits <= 20);
  std::vector<Jacobian<Field>> bases{base};
  while (bases.size() < windows()) {
    Jacobian<Field> next = bases.back();
    for (unsigned i = 0; i < window_bits_; ++i) next = next.doubled();
    bases.push_back(next);
  }
  std::vector<Affine<Field>> affine(bases.size());
  batch_to_affine<Field>(bases, affine);
  executor.for_each(windows(), [&](std::uint64_t w) {
    if (!executor.cancelled()) fill_window(static_cast<unsigned>(w), affine[w]);
  });
  executor.check();
}

template <class Field>
void FixedBaseTable<Field>::fill_window(unsigned w, const Affine<Field>& base) {
  const auto entries = std::span(entries_).subspan(w * window_entries(), window_entries());
  const std::vector<std::int32_t> ones(std::min(batch_size<Field>, entries.size()), 1);
  std::vector<Field> scratch(ones.size());
  entries[0] = base;
  // Entries n … 2n - 1 are entries 0 … n - 1 plus entry n - 1.
  for (std::size_t n = 1; n < entries.size(); n *= 2) {
    std::copy_n(entries.begin(), n, entries.begin() + static_cast<std::ptrdiff_t>(n));
    const Affine<Field> step = entries[n - 1];
    for (std::size_t at = 0; at < n; at += ones.size()) {
      const std::size_t count = std::min(ones.size(), n - at);
      add_multiples<Field>(entries.subspan(n + at, count), std::span(&step, 1), std::span(ones).first(count),
                           std::span(scratch).first(count));
    }
  }
}

template <class Field>
unsigned FixedBaseTable<Field>::best_window_bits(std::uint64_t count) {
  unsigned best = 2;
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned bits = 2; bits <= (sizeof(Field) == sizeof(Fp) ? 16 : 15); ++bits) {
    const std::uint64_t windows = (Fr::bits + bits - 1) / bits;
    const std::uint64_t additions = windows * (count + (std::uint64_t{1} << (bits - 1)));
    if (additions >= least) continue;
    least = additions;
    best = bits;
  }
  return best;
}

template <class Field>
void FixedBaseTable<Field>::multiply(std::span<const Fr> scalars, std::span<Affine<Field>> out) const {
  assert(scalars.size() == out.size());
  const std::size_t batch = std::min(batch_size<Field>, scalars.size());
  std::vector<std::int32_t> digits(windows() * batch);
  std::vector<Field> scratch(batch);
  std::fill(out.begin(), out.end(), Affine<Field>::infinity());
  for (std::size_t at = 0; at < scalars.size(); at += batch) {
    const std::size_t count = std::min(batch, scalars.size() - at);
    for (std::size_t i = 0; i < count; ++i) recode(scalars[at + i], window_bits_, windows(), &digits[i], batch);
    for (unsigned w = 0; w < windows(); ++w)
      add_multiples<Field>(out.subspan(at, count), window(w), std::span(digits).subspan(w * batch, count),
                           std::span(scratch).first(count));
  }
}

template class FixedBaseTable<Fp>;
template class FixedBaseTable<Fp2>;

}  // namespace pinion::bls
