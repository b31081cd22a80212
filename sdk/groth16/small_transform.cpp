#include "small_transform.hpp"

#include <utility>
#include <vector>

#include "domain.hpp"

namespace pinion::groth16 {

using bls::Fr;

// Cooley and Tukey 1965, recursively: even and odd places, then butterflies.
void small_transform(std::span<Fr> values, const Fr& root) {
  const std::size_t half = values.size() / 2;
  if (half == 0) return;
  std::vector<Fr> even(half), odd(half);
  for (std::size_t i = 0; i < half; ++i) {
    even[i] = values[2 * i];
    odd[i] = values[2 * i + 1];
  }
  small_transform(even, root.squared());
  small_transform(odd, root.squared());
  Fr power = Fr::one();
  for (std::size_t i = 0; i < half; ++i, power *= root) {
    values[i] = even[i] + odd[i] * power;
    values[i + half] = even[i] - odd[i] * power;
  }
}

void multiply_by_powers(std::span<Fr> values, const Fr& base, Executor& executor) {
  executor.for_range(values.size(), 4096, [&](std::uint64_t begin, std::uint64_t end) {
    executor.check();
    Fr power = base.pow(begin);
    for (std::uint64_t i = begin; i < end; ++i, power *= base) values[i] *= power;
  });
}

void small_copy(std::span<const Fr> from, std::span<Fr> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = i < from.size() ? from[i] : Fr::zero();
}

void small_quotient(const Domain& domain, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c, Executor& executor) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] * b[i];
  for (const std::span<Fr> values : {a, b, c}) {
    domain.intt(values, {}, executor);
    domain.coset_ntt(values, {}, executor);
  }
  const Fr scale = (Fr::generator().pow(domain.size()) - Fr::one()).inverse();
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] * b[i] - c[i]) * scale;
  domain.coset_intt(a, {}, executor);
}

}  // namespace pinion::groth16
