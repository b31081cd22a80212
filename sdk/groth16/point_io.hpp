// One point of a key or proof: decoded or refused with a sentence that says which point, where, and why.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <pinion/bls12_381/encoding.hpp>
#include <span>
#include <string>

#include "result.hpp"

namespace pinion::groth16 {

// Whether a place may hold the point at infinity.
enum class Infinity { allowed, refused };

// Why `decoded` cannot stand at its place, or nullptr.
template <class Point>
const char* fault_of(const bls::Decoded<Point>& decoded, Infinity infinity) {
  if (!decoded) return bls::describe(decoded.error);
  if (infinity == Infinity::refused && decoded.point.is_infinity()) return "is the point at infinity";
  return nullptr;
}

inline Error point_error(std::string_view where, std::string_view name, std::uint64_t offset, const char* fault) {
  return {ErrorCode::malformed, fmt::format("{}: {} at byte {}: the point {}", where, name, offset, fault)};
}

inline std::uint32_t read_u32_be(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}
inline void write_u32_be(std::uint32_t value, std::uint8_t* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

}  // namespace pinion::groth16
