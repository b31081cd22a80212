// For authors of circuits: where a row of a circuit comes from. A witness that fails at row n (first_unsatisfied_row)
// says little; "challenge_3/drg_parent_1, row 12 of it" says where to look.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shape_recorder.hpp"

namespace pinion::circuit {

// Watches a recording for the row with a number.
class RowLocator final : public RowObserver {
 public:
  explicit RowLocator(std::uint64_t row) : wanted_(row) {}

  void row(Terms a, Terms b, Terms c) override;
  void enter(std::string_view name, std::int64_t index) override;
  void leave() override;

  // The scopes around the row, outermost first ("challenge_3/drg_parent_1"), its number within the innermost and how
  // many terms it has; or that the circuit has no such row (the appended input rows are not the circuit's).
  std::string description() const;

 private:
  struct Part {
    std::string name;
    std::uint64_t first_row;
  };
  std::uint64_t wanted_;
  std::uint64_t rows_ = 0;
  std::vector<Part> parts_;
  std::string found_;
};

// Records the circuit to find out. [worker]
template <class Circuit>
std::string describe_row(Circuit&& circuit, std::uint64_t row) {
  RowLocator locator(row);
  ShapeRecorder recorder(&locator);
  circuit(recorder);
  return locator.description();
}

}  // namespace pinion::circuit
