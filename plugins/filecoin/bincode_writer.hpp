// Writing bincode 1.x, as bincode.hpp reads it. Never fails; whether the value has the shape that a reader wants is the
// caller's business.
#pragma once

#include <algorithm>
#include <cstdint>
#include <pinion/filecoin/bincode.hpp>
#include <vector>

namespace pinion::filecoin {

class BincodeWriter {
 public:
  void u32(std::uint32_t value) { put(little_endian<4>(value)); }
  void u64(std::uint64_t value) { put(little_endian<8>(value)); }
  void scalar(const bls::Fr& value) { put(value.to_bytes()); }
  // A tree of `shape` over `nodes` leaves, as read_opening reads it.
  void opening(const MerkleOpening& opening, TreeShape shape, std::uint64_t nodes);
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  template <std::size_t N>
  void put(const std::array<std::uint8_t, N>& bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::uint8_t> bytes_;
};

}  // namespace pinion::filecoin
