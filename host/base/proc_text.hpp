// Reading of the small texts under /proc and /sys, in one place: files that are small, lines "NAME: rest", figures.
// Nothing here knows what any of them means.
#pragma once

#include <cstdint>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <string>
#include <string_view>

namespace pinion::host {

// Without blanks and line ends around it. [any]
std::string_view trimmed(std::string_view text);
// Digits and nothing else. [any]
std::optional<std::uint64_t> number(std::string_view text);
// A whole small file; nothing when it cannot be read. [any]
std::optional<std::string> read_small_file(const std::string& path);
// Its first line; "" when there is none. [any]
std::string first_line(const std::string& path);
// The rest of the first line "NAME: rest"; there may be blanks before the colon. [any]
std::optional<std::string_view> field(std::string_view text, std::string_view name);
// The bytes of the line "NAME: N kB". [any]
std::optional<Bytes> kilobytes(std::string_view text, std::string_view name);
// The number of the line "NAME N". [any]
std::optional<std::uint64_t> counter(std::string_view text, std::string_view name);

}  // namespace pinion::host
