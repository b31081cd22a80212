#include <algorithm>
#include <bit>
#include <pinion/filecoin/chacha8.hpp>
#include <pinion/filecoin/graph.hpp>

namespace pinion::filecoin {
namespace {

std::array<std::uint64_t, 3> feistel_keys(const Bytes32& porep_id) {
  const Bytes32 seed = sha256({as_bytes("Filecoin_Feistel"), porep_id});
  std::array<std::uint64_t, 3> keys{};
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = read_little_endian(ByteView(seed).subspan(8 * i, 8));
  return keys;
}

}  // namespace

FeistelPermutation::FeistelPermutation(std::uint64_t size, const std::array<std::uint64_t, 3>& keys)
    : size_(size), keys_(keys) {
  while ((1ULL << (2 * half_bits_)) < size) ++half_bits_;
}

std::uint64_t FeistelPermutation::encode(std::uint64_t index) const {
  const std::uint64_t mask = (1ULL << half_bits_) - 1;
  std::uint64_t left = index >> half_bits_;
  std::uint64_t right = index & mask;
  for (const std::uint64_t key : keys_) {
    const auto hash = blake2b_512({big_endian(right), big_endian(key)});
    const std::uint64_t next = left ^ (read_big_endian(ByteView(hash).first(8)) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

std::uint64_t FeistelPermutation::operator()(std::uint64_t index) const {
  do index = encode(index);
  while (index >= size_);
  return index;
}

StackedGraph::StackedGraph(std::uint64_t nodes, const Bytes32& porep_id, ApiVersion version)
    : version_(version), permutation_(nodes * expander_degree, feistel_keys(porep_id)) {
  const Bytes32 seed = sha256({as_bytes("Filecoin_DRSample"), porep_id});
  std::copy_n(seed.begin(), drg_seed_.size(), drg_seed_.begin());
}

// DRSample with buckets: each node stands for `samples` nodes of a metagraph; a parent's distance is drawn from a
// bucket of doubling width.
std::array<std::uint64_t, StackedGraph::drg_degree> StackedGraph::drg_parents(std::uint64_t node) const {
  constexpr std::uint64_t samples = drg_degree - 1;
  std::array<std::uint64_t, drg_degree> parents{};
  if (node <= 1) return parents;
  Bytes32 key{};
  const auto number = little_endian<4>(node);
  std::copy(drg_seed_.begin(), drg_seed_.end(), key.begin());
  std::copy(number.begin(), number.end(), key.begin() + drg_seed_.size());
  ChaCha8Rng rng(key);

  const bool predecessor_last = version_ == ApiVersion::v1_0_0;
  const std::uint64_t meta_node = node * samples;
  const auto buckets = static_cast<std::uint64_t>(std::bit_width(meta_node - 1));  // ceil(log2)
  for (std::size_t i = 0; i < samples; ++i) {
    const std::uint64_t bucket = rng.next_u64() % buckets + 1;
    const std::uint64_t largest = std::min(meta_node, std::uint64_t{1} << bucket);
    const std::uint64_t smallest = std::max<std::uint64_t>(2, largest / 2);
    const std::uint64_t distance = smallest + rng.next_u64() % (largest - smallest + 1);
    const std::uint64_t parent = (meta_node - distance) / samples;
    parents[predecessor_last ? i : i + 1] = parent == node ? node - 1 : parent;
  }
  parents[predecessor_last ? samples : 0] = node - 1;
  return parents;
}

std::array<std::uint64_t, StackedGraph::expander_degree> StackedGraph::expander_parents(std::uint64_t node) const {
  std::array<std::uint64_t, expander_degree> parents{};
  for (std::size_t i = 0; i < expander_degree; ++i) {
    std::uint64_t permuted = permutation_(node * expander_degree + i);
    // 1.0.0 lost the upper half of sectors of 32GiB and more; replicas sealed that way stay valid.
    if (version_ == ApiVersion::v1_0_0) permuted = static_cast<std::uint32_t>(permuted);
    parents[i] = permuted / expander_degree;
  }
  return parents;
}

}  // namespace pinion::filecoin
