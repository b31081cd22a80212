// SnapDeals partitions of one challenge over the three tree shapes: small enough for a fuzzer, and for a test that
// looks at every byte.
#pragma once

#include <pinion/snap/setup.hpp>
#include <string_view>
#include <utility>

namespace pinion::filecoin::test {

inline const std::array<std::pair<std::string_view, UpdateSetup>, 3> small_update_setups{{
    {"single", {64, {8, 0, 0}, 1, 1, 8}},
    {"sub", {64, {8, 8, 0}, 2, 1, 8}},
    {"top", {128, {8, 8, 2}, 2, 1, 8}},
}};

}  // namespace pinion::filecoin::test
