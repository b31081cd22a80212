#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <pinion/host/ab/schedule.hpp>

using namespace pinion::host::ab;

TEST_CASE("every pair has a turn of each side, and mirrored pairs cancel a steady drift") {
  CHECK(rc::check("balance", [] {
    const auto pairs = *rc::gen::inRange<std::size_t>(1, 60);
    const auto turns = make_schedule(pairs, *rc::gen::arbitrary<std::uint64_t>());
    RC_ASSERT(turns.size() == 2 * pairs);
    std::size_t a_first = 0, busy_first = 0;
    long drift = 0;  // of B against A, were each turn one longer than the last
    for (std::size_t i = 0; i < turns.size(); i += 2) {
      RC_ASSERT(turns[i].pair == i / 2 && turns[i + 1].pair == i / 2);
      RC_ASSERT(turns[i].side == other(turns[i + 1].side));
      RC_ASSERT(turns[i].busy_first == turns[i + 1].busy_first);
      a_first += turns[i].side == Side::a;
      busy_first += turns[i].busy_first;
      drift += turns[i].side == Side::a ? 1 : -1;
    }
    RC_ASSERT(a_first >= pairs / 2 && a_first <= (pairs + 1) / 2);
    RC_ASSERT(busy_first >= pairs / 2 && busy_first <= (pairs + 1) / 2);
    RC_ASSERT(std::abs(drift) == static_cast<long>(pairs % 2));
  }));
}

TEST_CASE("a seed fixes the schedule, another one changes it") {
  CHECK(schedule_text(make_schedule(20, 7)) == schedule_text(make_schedule(20, 7)));
  CHECK(schedule_text(make_schedule(20, 7)) != schedule_text(make_schedule(20, 8)));
  const auto text = schedule_text(make_schedule(3, 1));
  CHECK((text.starts_with("ABBA ") || text.starts_with("BAAB ")));
  CHECK(text.size() == 7);
}
