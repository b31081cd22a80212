// A number of bytes, as a type of its own: it cannot be mixed up with a count of elements, and its arithmetic never
// wraps. Not a range of memory; see std::span for that.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace pinion::host {

// Thrown by the operators of Bytes when a result leaves [0, 2^64). Sizes that come from outside go through the
// checked_* functions instead, so that this always means a defect of the program.
class BytesOverflow : public std::overflow_error {
 public:
  using std::overflow_error::overflow_error;
};

class Bytes {
 public:
  constexpr Bytes() noexcept = default;
  constexpr explicit Bytes(std::uint64_t count) noexcept : count_(count) {}

  constexpr std::uint64_t count() const noexcept { return count_; }
  constexpr bool zero() const noexcept { return count_ == 0; }
  constexpr auto operator<=>(const Bytes&) const noexcept = default;

 private:
  std::uint64_t count_ = 0;
};

// a + b, a - b, a * n; nothing when the result leaves [0, 2^64). [any]
constexpr std::optional<Bytes> checked_add(Bytes a, Bytes b) noexcept {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a.count(), b.count(), &sum)) return std::nullopt;
  return Bytes(sum);
}
constexpr std::optional<Bytes> checked_sub(Bytes a, Bytes b) noexcept {
  if (a < b) return std::nullopt;
  return Bytes(a.count() - b.count());
}
constexpr std::optional<Bytes> checked_mul(Bytes a, std::uint64_t n) noexcept {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a.count(), n, &product)) return std::nullopt;
  return Bytes(product);
}

// The smallest multiple of `step` (not zero) that holds `a`; nothing when it leaves 64 bits. [any]
constexpr std::optional<Bytes> checked_round_up(Bytes a, Bytes step) noexcept {
  const std::uint64_t over = a.count() % step.count();
  return over == 0 ? a : checked_add(a, Bytes(step.count() - over));
}

constexpr Bytes operator+(Bytes a, Bytes b) {
  if (const auto sum = checked_add(a, b)) return *sum;
  throw BytesOverflow("sum of two sizes exceeds 64 bits");
}
constexpr Bytes operator-(Bytes a, Bytes b) {
  if (const auto difference = checked_sub(a, b)) return *difference;
  throw BytesOverflow("a larger size was taken from a smaller one");
}
constexpr Bytes operator*(Bytes a, std::uint64_t n) {
  if (const auto product = checked_mul(a, n)) return *product;
  throw BytesOverflow("product of a size exceeds 64 bits");
}
constexpr Bytes& operator+=(Bytes& a, Bytes b) {
  return a = a + b;
}
constexpr Bytes& operator-=(Bytes& a, Bytes b) {
  return a = a - b;
}

constexpr Bytes kib(std::uint64_t n) {
  return Bytes(1024) * n;
}
constexpr Bytes mib(std::uint64_t n) {
  return kib(1024) * n;
}
constexpr Bytes gib(std::uint64_t n) {
  return mib(1024) * n;
}

}  // namespace pinion::host
