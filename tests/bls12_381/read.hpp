// Field elements and points from the hexadecimal of the vectors.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pinion/bls12_381/encoding.hpp>
#include <pinion/test/vectors.hpp>
#include <stdexcept>

namespace pinion::test {

template <std::size_t n>
std::array<std::uint8_t, n> read_bytes(const nlohmann::json& hex) {
  const Bytes bytes = from_hex(hex.get<std::string>());
  if (bytes.size() != n) throw std::runtime_error("a vector of another length");
  std::array<std::uint8_t, n> out;
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return out;
}

inline bls::Fr read_fr(const nlohmann::json& hex) {
  return bls::Fr::from_bytes(read_bytes<32>(hex)).value();
}
inline bls::Fp read_fp(const nlohmann::json& hex) {
  return bls::Fp::from_bytes(read_bytes<48>(hex)).value();
}
inline bls::Fp2 read_fp2(const nlohmann::json& pair) {
  return {read_fp(pair[0]), read_fp(pair[1])};
}

// Compressed, checked.
template <class Point>
Point read_point(const nlohmann::json& hex) {
  const auto decoded =
      bls::decode_compressed<Point>(read_bytes<bls::compressed_size<Point>>(hex), bls::Check::subgroup);
  if (!decoded) throw std::runtime_error(std::string("a point that ") + bls::describe(decoded.error));
  return decoded.point;
}

template <class Point>
std::string compressed_hex(const Point& point) {
  std::array<std::uint8_t, bls::compressed_size<Point>> bytes;
  bls::encode_compressed<Point>(point, bytes);
  return to_hex(bytes);
}

template <class Point>
std::string uncompressed_hex(const Point& point) {
  std::array<std::uint8_t, bls::uncompressed_size<Point>> bytes;
  bls::encode_uncompressed<Point>(point, bytes);
  return to_hex(bytes);
}

}  // namespace pinion::test
