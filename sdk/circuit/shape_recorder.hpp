// ShapeRecorder: the constraint system that keeps rows and ignores values. A circuit runs through it once per kind;
// what comes out is the shape. Speed matters (the 32 GiB PoRep has 130 million rows), values do not exist here.
#pragma once

#include <cstdint>
#include <pinion/groth16/shape_builder.hpp>
#include <span>
#include <string_view>

#include "constraint_system.hpp"
#include "linear_combination.hpp"

namespace pinion::circuit {

// Sees each row as it is added, and where named parts begin and end: digests, statistics, diagnosis.
class RowObserver {
 public:
  virtual ~RowObserver() = default;
  using Terms = std::span<const groth16::Term>;
  virtual void row(Terms /*a*/, Terms /*b*/, Terms /*c*/) {}
  // index is -1 for a part that is not one of a sequence.
  virtual void enter(std::string_view /*name*/, std::int64_t /*index*/) {}
  virtual void leave() {}
};

class ShapeRecorder {
 public:
  static constexpr bool keeps_rows = true;
  static constexpr bool keeps_values = false;

  // The observer, if any, outlives the recorder; it does not see the rows that finish() appends.
  explicit ShapeRecorder(RowObserver* observer = nullptr) : observer_(observer) {}

  Variable alloc_bit(bool) { return {builder_.add_bit()}; }
  Variable alloc_scalar(const Fr&) { return {builder_.add_scalar()}; }
  Variable alloc_input(const Fr&) { return {builder_.add_input()}; }

  template <class A, class B, class C>
  void enforce(A&& a, B&& b, C&& c) {
    a_.clear();
    b_.clear();
    c_.clear();
    a(a_);
    b(b_);
    c(c_);
    add_row(a_, b_, c_);
  }
  // The row of three combinations that exist already (they are normalized in place).
  void add_row(LinearCombination& a, LinearCombination& b, LinearCombination& c);

  void enter(std::string_view name, std::int64_t index) {
    if (observer_) observer_->enter(name, index);
  }
  void leave() {
    if (observer_) observer_->leave();
  }

  bool is_observed() const { return observer_ != nullptr; }
  // Records what was recorded since `start` another `count` times over new variables (ShapeBuilder::repeat): for parts
  // of a circuit that differ in nothing but values. An observer does not see them.
  groth16::ShapeBuilder::Mark mark() const { return builder_.mark(); }
  void repeat(const groth16::ShapeBuilder::Mark& start, std::uint64_t count, Executor& executor) {
    builder_.repeat(start, count, executor);
  }

  std::uint64_t rows() const { return builder_.rows(); }
  std::uint32_t inputs() const { return builder_.inputs(); }
  std::uint32_t aux() const { return builder_.aux(); }
  // What was recorded; the recorder is spent.
  groth16::ShapeBuilder finish() { return std::move(builder_); }

 private:
  groth16::ShapeBuilder builder_;
  LinearCombination a_, b_, c_;
  RowObserver* observer_;
};
static_assert(ConstraintSystem<ShapeRecorder>);

}  // namespace pinion::circuit
