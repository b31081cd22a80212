#include "sort.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "emulator.hpp"

namespace pinion::cuda {

std::size_t sort_scratch_bytes(std::size_t) {
  return 1;
}

Status sort_pairs(const std::uint32_t* keys_in, std::uint32_t* keys_out, const std::uint32_t* values_in,
                  std::uint32_t* values_out, std::size_t count, unsigned bits, void*, std::size_t, Stream stream) {
  emulator::catch_up(stream);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::uint32_t mask = bits >= 32 ? ~0U : (1U << bits) - 1;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return (keys_in[a] & mask) < (keys_in[b] & mask); });
  for (std::size_t i = 0; i < count; ++i) {
    keys_out[i] = keys_in[order[i]];
    values_out[i] = values_in[order[i]];
  }
  return {};
}

Status prefix_sums(const std::uint32_t* in, std::uint32_t* out, std::size_t count, void*, std::size_t, Stream stream) {
  emulator::catch_up(stream);
  std::exclusive_scan(in, in + count, out, 0U);
  return {};
}

}  // namespace pinion::cuda
