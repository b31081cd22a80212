#include <pinion/host/ab/random.hpp>
#include <pinion/host/ab/schedule.hpp>

namespace pinion::host::ab {

std::vector<Turn> make_schedule(std::size_t pairs, std::uint64_t seed) {
  Random random(seed);
  std::vector<Turn> turns;
  Side first = Side::a;
  bool busy_first = false;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const bool mirrors = pair % 2 == 1;
    first = mirrors ? other(first) : random.coin() ? Side::b : Side::a;
    busy_first = mirrors ? !busy_first : random.coin();
    turns.push_back({pair, first, busy_first});
    turns.push_back({pair, other(first), busy_first});
  }
  return turns;
}

std::string schedule_text(const std::vector<Turn>& turns) {
  std::string out;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (i != 0 && i % 4 == 0) out += ' ';
    out += turns[i].side == Side::a ? 'A' : 'B';
  }
  return out;
}

}  // namespace pinion::host::ab
