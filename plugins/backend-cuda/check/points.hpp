// Points on the device for tests and benches at full size: small multiples of the generator, whose sums are known.
#pragma once

#include <cstddef>

#include "arena.hpp"
#include "msm.hpp"
#include "status.hpp"

namespace pinion::cuda::check {

// out[i] = (i + 1) G, affine, G the standard generator; scratch is given back to the arena.
Status fill_multiples(Curve curve, void* out, std::size_t count, Arena& arena, Stream stream);

// parts[k] of min(count, evaluation_parts): their sum is sum_i (i + 1) scalars[i].
Status weighted_sum(const Fr* scalars, std::size_t count, Fr* parts, Stream stream);

}  // namespace pinion::cuda::check
