// MultiEq: several equalities of small integers packed into one row of at most 253 bits. Source: bellpepper
// gadgets/multieq.rs. The last row is written by flush(), not by the
// destructor.
#pragma once

#include "boolean.hpp"

namespace pinion::circuit {

template <ConstraintSystem CS>
class MultiEq {
 public:
  explicit MultiEq(CS& cs) : cs_(cs) {}

  // Makes room for an equality of `bits` bits (below 254); its two sides are then added to left() and right() with
  // coefficients 2^(shift() + i).
  void begin(unsigned bits) requires CS::keeps_rows {
    if (used_ + bits >= fr_capacity_bits) flush();
    shift_ = used_;
    used_ += bits;
  }
  unsigned shift() const { return shift_; }
  LinearCombination& left() { return left_; }
  LinearCombination& right() { return right_; }

  // left * 1 = right, if anything waits.
  void flush() {
    if constexpr (CS::keeps_rows) {
      if (used_ == 0) return;
      cs_.enforce([&](auto& lc) { lc.add(left_); }, [](auto& lc) { lc.add_constant(fr_one); },
                  [&](auto& lc) { lc.add(right_); });
      left_.clear();
      right_.clear();
      used_ = 0;
    }
  }

 private:
  static constexpr unsigned fr_capacity_bits = 254;
  CS& cs_;
  LinearCombination left_, right_;
  unsigned used_ = 0, shift_ = 0;
};

}  // namespace pinion::circuit
