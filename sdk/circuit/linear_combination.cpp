#include "linear_combination.hpp"

#include <algorithm>

namespace pinion::circuit {

namespace {
// Inputs before aux, each ascending.
constexpr std::uint32_t rank_of(std::uint32_t code) {
  return code ^ groth16::input_flag;
}
}  // namespace

LinearCombination& LinearCombination::add(const LinearCombination& other) {
  constant_ += other.constant_;
  terms_.insert(terms_.end(), other.terms_.begin(), other.terms_.end());
  return *this;
}

LinearCombination& LinearCombination::add(const LinearCombination& other, const Fr& coefficient) {
  constant_ += other.constant_ * coefficient;
  terms_.reserve(terms_.size() + other.terms_.size());
  for (const auto& term : other.terms_) terms_.push_back({term.variable, term.coefficient * coefficient});
  return *this;
}

void LinearCombination::sort_and_merge() {
  order_.clear();
  for (std::size_t i = 0; i < terms_.size(); ++i)
    order_.push_back(std::uint64_t{rank_of(terms_[i].variable)} << 32 | i);
  std::sort(order_.begin(), order_.end());
  row_.clear();
  for (std::size_t at = 0; at < order_.size();) {
    const std::uint64_t rank = order_[at] >> 32;
    groth16::Term sum = terms_[order_[at] & 0xffffffff];
    for (++at; at < order_.size() && order_[at] >> 32 == rank; ++at)
      sum.coefficient += terms_[order_[at] & 0xffffffff].coefficient;
    if (!sum.coefficient.is_zero()) row_.push_back(sum);
  }
  terms_.swap(row_);
}

std::span<const groth16::Term> LinearCombination::normalized() {
  bool ordered = true;
  for (std::size_t i = 0; i < terms_.size() && ordered; ++i)
    ordered =
        !terms_[i].coefficient.is_zero() && (i == 0 || rank_of(terms_[i - 1].variable) < rank_of(terms_[i].variable));
  if (!ordered) sort_and_merge();
  if (constant_.is_zero()) return terms_;
  row_.clear();
  row_.push_back({one_variable.code, constant_});
  row_.insert(row_.end(), terms_.begin(), terms_.end());
  return row_;
}

}  // namespace pinion::circuit
