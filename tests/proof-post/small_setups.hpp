// Sectors of a proof of spacetime with two openings over the three tree shapes: small enough for a fuzzer, and for a
// test that looks at every byte.
#pragma once

#include <array>
#include <pinion/post/setup.hpp>
#include <string_view>
#include <utility>

namespace pinion::filecoin::test {

inline constexpr unsigned small_openings = 2;
inline const std::array<std::pair<std::string_view, PostSetup>, 3> small_post_setups{{
    {"single", {64, {8, 0, 0}, 2, small_openings, PostRule::by_sector}},
    {"sub", {64, {8, 8, 0}, 2, small_openings, PostRule::by_sector}},
    {"top", {128, {8, 8, 2}, 2, small_openings, PostRule::by_sector}},
}};

}  // namespace pinion::filecoin::test
