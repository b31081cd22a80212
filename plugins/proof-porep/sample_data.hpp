// The input that ships inside the plugin: the C1 output of a really sealed 2 KiB sector (vectors/cases).
#pragma once

#include <cstdint>
#include <pinion/filecoin/digest.hpp>

namespace pinion::filecoin {

inline constexpr std::uint64_t sample_miner_id = 1000;
inline constexpr std::uint64_t sample_sector_number = 24446;
// StackedDrg2KiBV1_1, bare JSON; static.
ByteView sample_c1();

}  // namespace pinion::filecoin
