// Reading of the small texts under /proc and /sys. For the files of this folder only.
#pragma once

#include <cstdint>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <string_view>

namespace pinion::host {

// Without blanks and line ends around it. [any]
std::string_view trimmed(std::string_view text);
// Digits and nothing else. [any]
std::optional<std::uint64_t> number(std::string_view text);
// The rest of the line "NAME: rest". [any]
std::optional<std::string_view> field(std::string_view text, std::string_view name);
// The bytes of the line "NAME: N kB". [any]
std::optional<Bytes> kilobytes(std::string_view text, std::string_view name);
// The number of the line "NAME N". [any]
std::optional<std::uint64_t> counter(std::string_view text, std::string_view name);

}  // namespace pinion::host
