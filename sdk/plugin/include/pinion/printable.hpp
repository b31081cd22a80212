// Text that somebody else wrote (names of files, keys, values), as it may appear in a message: one line stays one line,
// a terminal obeys nothing in it, and every byte of it can be told. For hosts and plugins alike. Not for JSON, which
// has its own rules, nor for shell commands.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pinion {

namespace detail {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: what stands there is not UTF-8
};

// The first character of a text that is not empty. RFC 3629: shortest form, no surrogates, at most 0x10ffff.
constexpr Character first_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc0 || lead > 0xf4 || bytes > text.size()) return {};
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

// Control characters, line separators, and what is invisible or turns the direction of writing.
constexpr bool is_printable(std::uint32_t code) noexcept {
  const auto in = [code](std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; };
  return !(code < 0x20 || in(0x7f, 0x9f) || in(0x200b, 0x200f) || in(0x2028, 0x202e) || in(0x2060, 0x206f) ||
           code == 0xfeff);
}

inline void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[value >> (4 * i) & 15U];
}

// \n, \t, \u202e; \xff for a byte that is not UTF-8.
inline void append_escaped(std::string& out, Character character, unsigned char byte) {
  if (character.bytes == 0) {
    append_hex(out += "\\x", byte, 2);
  } else if (character.code == '\n') {
    out += "\\n";
  } else if (character.code == '\t') {
    out += "\\t";
  } else {
    append_hex(out += "\\u", character.code, 4);  // none that is not printable has more digits
  }
}

// `text` with everything escaped that is not printable, other than the characters of `kept`; a backslash goes before
// each character of `marked`.
inline std::string escaped(std::string_view text, std::string_view kept, std::string_view marked) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool plain = character.bytes != 0 && is_printable(character.code);
    const std::string_view bytes = text.substr(0, character.bytes == 0 ? 1 : character.bytes);
    if (marked.find(bytes) != marked.npos) out += '\\';
    if (plain || kept.find(bytes) != kept.npos)
      out += bytes;
    else
      append_escaped(out, character, static_cast<unsigned char>(bytes[0]));
    text.remove_prefix(bytes.size());
  }
  return out;
}

}  // namespace detail

// In quotes, as TOML writes a string. [any]
inline std::string in_quotes(std::string_view text) {
  return '"' + detail::escaped(text, "", "\"\\") + '"';
}

// A name: as it is where all of it can be seen and nothing of it looks like a quote, else quoted. [any]
inline std::string shown(std::string_view name) {
  const bool plain = !name.empty() && name.front() != '"' && detail::escaped(name, "", "") == name;
  return plain ? std::string(name) : in_quotes(name);
}
template <std::same_as<std::filesystem::path> Path>  // not what turns into one
std::string shown(const Path& path) {
  return shown(std::string_view(path.native()));
}

// A whole message, whose line breaks are meant: what its parts let slip is escaped. [any]
inline std::string printable(std::string_view message) {
  return detail::escaped(message, "\n\t", "");
}

}  // namespace pinion
