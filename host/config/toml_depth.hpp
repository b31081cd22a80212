// How deep a TOML text nests by its keys, asked before it is parsed: the parser bounds arrays and inline tables, but
// not `a.a.a.… = 1`, and takes a stack frame for each step when such a table goes. Not a check of the syntax.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace pinion::host {

// More steps than any key of ours has, few enough for every level of nested values to have as many.
constexpr std::size_t most_key_steps = 16;

// The line, from 1, of the first dotted key or table header of more steps than that; nothing where there is none. [any]
std::optional<std::size_t> line_of_too_deep_key(std::string_view toml) noexcept;

}  // namespace pinion::host
