// Data on the device for tests and benches at full size: pseudo-random elements, evaluation of a polynomial at a point,
// comparison. Not for provers: the generator is a mixer, nothing secret.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ntt.hpp"
#include "status.hpp"

namespace pinion::cuda::check {

// out[i] = an element determined by (seed, i), as Montgomery limbs.
Status fill_random(Fr* out, std::size_t count, std::uint64_t seed, Stream stream);

// different: one counter on the device; adds the number of i where data[i] is not what fill_random(seed) wrote.
Status count_different(const Fr* data, std::size_t count, std::uint64_t seed, unsigned* different, Stream stream);

inline constexpr unsigned evaluation_parts = 1U << 14;
// parts[k], of min(count, evaluation_parts): their sum is sum_i c_i point^i, where c_i stands at i, or, if permuted,
// where the transforms' permuted order of 2^lg_size elements has it. Horner's rule, independent of the transforms.
Status evaluate(const Fr* coefficients, unsigned lg_size, bool permuted, const Fr* point, Fr* parts, Stream stream);

}  // namespace pinion::cuda::check
