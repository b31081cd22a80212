#include "shape_recorder.hpp"

namespace pinion::circuit {

void ShapeRecorder::add_row(LinearCombination& a, LinearCombination& b, LinearCombination& c) {
  const auto row_a = a.normalized();
  const auto row_b = b.normalized();
  const auto row_c = c.normalized();
  builder_.add_row(row_a, row_b, row_c);
  if (observer_) observer_->row(row_a, row_b, row_c);
}

}  // namespace pinion::circuit
