#include <bit>
#include <pinion/filecoin/chacha8.hpp>

namespace pinion::filecoin {
namespace {

using State = std::array<std::uint32_t, 16>;

constexpr void quarter_round(State& x, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 7);
}

}  // namespace

ChaCha8Rng::ChaCha8Rng(const Bytes32& seed) {
  for (std::size_t i = 0; i < key_.size(); ++i)
    key_[i] = static_cast<std::uint32_t>(read_little_endian(ByteView(seed).subspan(4 * i, 4)));
}

void ChaCha8Rng::refill() {
  const State start{0x61707865,
                    0x3320646e,
                    0x79622d32,
                    0x6b206574,  // "expand 32-byte k"
                    key_[0],
                    key_[1],
                    key_[2],
                    key_[3],
                    key_[4],
                    key_[5],
                    key_[6],
                    key_[7],
                    static_cast<std::uint32_t>(counter_),
                    static_cast<std::uint32_t>(counter_ >> 32),
                    0,
                    0};
  State x = start;
  for (int double_round = 0; double_round < 4; ++double_round) {
    for (std::size_t i = 0; i < 4; ++i) quarter_round(x, i, 4 + i, 8 + i, 12 + i);
    for (std::size_t i = 0; i < 4; ++i) quarter_round(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  for (std::size_t i = 0; i < 16; ++i) block_[i] = x[i] + start[i];
  ++counter_;
  used_ = 0;
}

std::uint64_t ChaCha8Rng::next_u64() {
  if (used_ == block_.size()) refill();
  const std::uint64_t low = block_[used_];
  const std::uint64_t high = block_[used_ + 1];
  used_ += 2;
  return low | high << 32;
}

}  // namespace pinion::filecoin
