// ChaCha8Rng: the random stream that samples DRG parents. Own code because no packaged library offers the 8-round
// ChaCha; it reproduces the word order of Rust's rand_chacha 0.3 (64-bit block counter from 0, 64-bit stream id 0).
// Not a general random source, and not for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/filecoin/digest.hpp>

namespace pinion::filecoin {

class ChaCha8Rng {
 public:
  // `seed` is the ChaCha key. [any]
  explicit ChaCha8Rng(const Bytes32& seed);
  // The next 8 bytes of the stream as a little-endian number.
  std::uint64_t next_u64();

 private:
  void refill();

  std::array<std::uint32_t, 8> key_{};
  std::array<std::uint32_t, 16> block_{};
  std::uint64_t counter_ = 0;
  std::size_t used_ = 16;  // words of block_ already handed out
};

}  // namespace pinion::filecoin
