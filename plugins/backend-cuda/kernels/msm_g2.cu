#include "msm_accumulate.cuh"
#include "msm_reduce.cuh"

namespace pinion::cuda::msm_steps {

template struct Steps<G2>;

}  // namespace pinion::cuda::msm_steps
