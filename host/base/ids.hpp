// Names of things that several layers speak of.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace pinion::host {

// A number that names one thing of one sort; ids of different sorts do not mix. Zero names nothing.
template <class Sort>
class Id {
 public:
  constexpr Id() noexcept = default;
  constexpr explicit Id(std::uint64_t number) noexcept : number_(number) {}
  constexpr std::uint64_t number() const noexcept { return number_; }
  constexpr explicit operator bool() const noexcept { return number_ != 0; }
  constexpr auto operator<=>(const Id&) const noexcept = default;

 private:
  std::uint64_t number_ = 0;
};

// For whom something is done or held. Empty fields: not tied to a job, a partition or a plugin.
struct Owner {
  std::string job;
  std::optional<std::uint32_t> partition;
  std::string plugin;

  auto operator<=>(const Owner&) const = default;

  // "job 7, partition 3, plugin alloc-heap"; "host" when nothing is named. [any]
  std::string text() const;
};

}  // namespace pinion::host
