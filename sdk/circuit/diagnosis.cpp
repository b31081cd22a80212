#include "diagnosis.hpp"

#include <fmt/format.h>

namespace pinion::circuit {

void RowLocator::row(Terms a, Terms b, Terms c) {
  if (rows_++ != wanted_) return;
  for (const Part& part : parts_) found_ += (found_.empty() ? "" : "/") + part.name;
  if (parts_.empty()) found_ = "outside of any scope";
  found_ += fmt::format(", row {} of it, with {}, {} and {} terms",
                        wanted_ - (parts_.empty() ? 0 : parts_.back().first_row), a.size(), b.size(), c.size());
}

void RowLocator::enter(std::string_view name, std::int64_t index) {
  parts_.push_back({index < 0 ? std::string(name) : fmt::format("{}_{}", name, index), rows_});
}

void RowLocator::leave() {
  parts_.pop_back();
}

std::string RowLocator::description() const {
  return found_.empty() ? fmt::format("no row {}: the circuit has {}", wanted_, rows_) : found_;
}

}  // namespace pinion::circuit
