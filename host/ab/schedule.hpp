// Who has his turn when. Two turns, one of each side, are a pair; their difference is what is judged, so that whatever
// changes slowly (heat, clocks, neighbours) falls out of it. Two pairs in a row mirror each other, A B B A or B A A B
// as a coin falls, so that what goes on steadily, and what the second turn of a pair gains or suffers, falls out too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pinion::host::ab {

enum class Side : std::uint8_t { a, b };
inline constexpr std::size_t index(Side side) noexcept {
  return static_cast<std::size_t>(side);
}
inline constexpr Side other(Side side) noexcept {
  return side == Side::a ? Side::b : Side::a;
}

struct Turn {
  std::size_t pair = 0;
  Side side = Side::a;
  bool busy_first = false;  // within the turn: under load before idle; the same for both turns of a pair
};

// 2 * pairs turns; the same for the same seed. With an odd number of pairs the last is drawn alone. [any]
std::vector<Turn> make_schedule(std::size_t pairs, std::uint64_t seed);

// "ABBA BAAB AB": as the report prints it. [any]
std::string schedule_text(const std::vector<Turn>& turns);

}  // namespace pinion::host::ab
