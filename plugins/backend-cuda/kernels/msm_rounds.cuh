// Where the sums of tasks lie that are added in rounds. A record is an affine point, coordinates below 2 p (infinity:
// zero), and the product that its worker's inverse needs. A warp's words are side by side, so that what a thread moves
// lies at fixed distances: word j of a worker's task k at [k][worker / 32][j][worker % 32].
#pragma once

#include "curve.cuh"
#include "msm_tasks.hpp"

namespace pinion::cuda::msm_steps {

inline constexpr unsigned record_words = 3 * fp_words, record_step = 32;

PINION_DEVICE uint4* record_of(const Rounds& rounds, u32 worker, u32 k) {
  return static_cast<uint4*>(rounds.sums) + worker / record_step * (record_words * record_step) + worker % record_step +
         std::size_t{k} * (rounds.workers * record_words);
}

}  // namespace pinion::cuda::msm_steps
