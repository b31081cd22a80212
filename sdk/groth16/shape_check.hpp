// The full check of a shape's bytes behind Shape::open: after it no reader can be led out of bounds, and the densities
// are those of the rows. Internal to sdk/groth16.
#pragma once

#include "shape.hpp"

namespace pinion::groth16 {

// `shape` comes from Shape::reopen. [worker]
Result<void> check_shape(const Shape& shape, Executor& executor);

}  // namespace pinion::groth16
