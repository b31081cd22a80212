// The values that fake sectors are made of: anything the seed says, in every place that no hash decides. Not random and
// not secret.
#pragma once

#include <cstdint>
#include <pinion/filecoin/digest.hpp>
#include <string_view>
#include <vector>

namespace pinion::filecoin {

// Leaves that nobody looks at repeat with this period. One constant filler would make all siblings equal and hide
// mistakes in their order; an odd period makes them differ and still leaves, at each level, no more different subtrees
// than this, because every subtree's width is a power of two.
inline constexpr unsigned filler_period = 61;

class Filler {
 public:
  explicit Filler(std::uint64_t seed) : seed_(little_endian<8>(seed)) {}

  // SHA-256("pinion sector fake" ‖ seed ‖ n ‖ purpose), the two top bits cleared: a canonical scalar, as the data of a
  // sector is. [any]
  Bytes32 bytes(std::string_view purpose, std::uint64_t n = 0) const {
    Bytes32 out = sha256({as_bytes("pinion sector fake"), seed_, little_endian<8>(n), as_bytes(purpose)});
    out[31] &= 0x3f;
    return out;
  }
  bls::Fr scalar(std::string_view purpose, std::uint64_t n = 0) const {
    return *bls::Fr::from_bytes(bytes(purpose, n));
  }
  // filler_period of them.
  std::vector<bls::Fr> row(std::string_view purpose) const {
    std::vector<bls::Fr> out;
    for (unsigned n = 0; n < filler_period; ++n) out.push_back(scalar(purpose, n));
    return out;
  }

 private:
  std::array<std::uint8_t, 8> seed_;
};

}  // namespace pinion::filecoin
