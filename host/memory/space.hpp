// Where bytes live: the host, or one device. Each space has one ledger; the numbers are those of the C ABI. Page-locked
// memory is no place of its own: its bytes are the host's, and counted a second time because they have a limit of their
// own.
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

  static constexpr SpaceId page_locked() noexcept { return SpaceId(UINT32_MAX); }

  constexpr std::uint32_t number() const noexcept { return number_; }
  constexpr auto operator<=>(const SpaceId&) const noexcept = default;
  std::string text() const {
    if (*this == page_locked()) return "page-locked memory";
    return number_ == 0 ? "host" : "device " + std::to_string(number_ - 1);
  }

 private:
  constexpr explicit SpaceId(std::uint32_t number) noexcept : number_(number) {}
  std::uint32_t number_ = 0;
};

}  // namespace pinion::host
