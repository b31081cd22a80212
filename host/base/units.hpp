// The one grammar of sizes and durations, for every key, flag, variable and plugin option.
//
//   size      = "0" | number unit, unit = B KiB MiB GiB TiB (powers of 1024) | KB MB GB TB (powers of 1000)
//   duration  = "0" | one or more of number unit, unit = d h m s ms, largest unit first: "10m", "1h30m", "1.5h"
//   number    = digits [ "." 1 to 6 digits ]
//
// No sign, no space, units spelled exactly so. Whatever else has a plain meaning is refused with its right spelling.
#pragma once

#include <chrono>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/status.hpp>
#include <string>
#include <string_view>

namespace pinion::host {

using Duration = std::chrono::milliseconds;

// Fractions of a byte or of a millisecond are dropped. Fails with invalid_config; the message names what was seen and,
// where one can be guessed, the right spelling. [any]
Result<Bytes> parse_size(std::string_view text);
Result<Duration> parse_duration(std::string_view text);

// The shortest spelling that parses back to exactly the same value: "5GiB", "1500B", "90m", "250ms". [any]
std::string exact_text(Bytes size);
std::string exact_text(Duration duration);

// For people: at most three significant digits, "4.19 GiB", "812 B"; "1.25 s", "3 min 20 s". [any]
std::string human_text(Bytes size);
std::string human_text(std::chrono::nanoseconds duration);

}  // namespace pinion::host
