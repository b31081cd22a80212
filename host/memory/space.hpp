// Where bytes live: the host, or one device. Each space has one ledger; the numbers are those of the C ABI.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace pinion::host {

class SpaceId {
 public:
  constexpr SpaceId() noexcept = default;  // the host
  static constexpr SpaceId host() noexcept { return SpaceId(); }
  static constexpr SpaceId device(std::uint32_t i) noexcept { return SpaceId(i + 1); }

  constexpr std::uint32_t number() const noexcept { return number_; }
  constexpr auto operator<=>(const SpaceId&) const noexcept = default;
  std::string text() const { return number_ == 0 ? "host" : "device " + std::to_string(number_ - 1); }

 private:
  constexpr explicit SpaceId(std::uint32_t number) noexcept : number_(number) {}
  std::uint32_t number_ = 0;
};

}  // namespace pinion::host
