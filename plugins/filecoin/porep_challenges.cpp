#include <algorithm>
#include <functional>
#include <pinion/filecoin/porep_challenges.hpp>

namespace pinion::filecoin {
namespace {

constexpr std::string_view synthetic_generation = "filecoin.io|PoRep|1|Synthetic|1|Generation";
constexpr std::string_view synthetic_selection = "filecoin.io|PoRep|1|Synthetic|1|Selection";
constexpr std::string_view non_interactive = "filecoin.io|PoRep|1|NonInteractive|1";
constexpr std::array<std::uint8_t, 12> synthetic_nonce{'s', 'y', 'n', 't', 'h', '-', 'p', 'o', 'r', 'e', 'p', 0};

// A 32-byte little-endian number mod (nodes - 1), plus 1: node 0 has no parents and is never challenged.
std::uint64_t to_challenge(const Bytes32& bytes, std::uint64_t nodes) {
  unsigned __int128 remainder = 0;
  for (std::size_t i = 4; i-- > 0;)
    remainder = (remainder << 64 | read_little_endian(ByteView(bytes).subspan(8 * i, 8))) % (nodes - 1);
  return static_cast<std::uint64_t>(remainder) + 1;
}

ChaCha20 synthetic_stream(std::string_view purpose, const Bytes32& a, const Bytes32& b) {
  return {blake2b_256_keyed(as_bytes(purpose), {a, b}), synthetic_nonce};
}

// From a challenge's number, counted over all partitions, to its node.
std::function<std::uint64_t(std::uint64_t)> challenge_rule(const PorepSetup& setup, const SealStatement& statement) {
  const std::uint64_t nodes = setup.nodes;
  switch (setup.rule) {
    case ChallengeRule::Interactive:
      return [=](std::uint64_t ordinal) {
        return to_challenge(sha256({statement.replica_id, statement.seed, little_endian<4>(ordinal)}), nodes);
      };
    case ChallengeRule::NonInteractive:
      return [=](std::uint64_t ordinal) {
        return to_challenge(
            sha256({as_bytes(non_interactive), statement.replica_id, statement.comm_r, little_endian<4>(ordinal)}),
            nodes);
      };
    case ChallengeRule::Synthetic:
      break;
  }
  const SyntheticSet set(nodes, std::min(nodes, SyntheticSet::max_size), statement.replica_id, statement.comm_r);
  return [=](std::uint64_t ordinal) { return set.at(set.selected(statement.replica_id, statement.seed, ordinal)); };
}

}  // namespace

SyntheticSet::SyntheticSet(std::uint64_t nodes, std::uint64_t size, const Bytes32& replica_id, const Bytes32& comm_r)
    : nodes_(nodes), size_(size), stream_(synthetic_stream(synthetic_generation, replica_id, comm_r)) {}

std::uint64_t SyntheticSet::at(std::uint64_t index) const {
  Bytes32 bytes{};
  stream_.read(32 * index, bytes);
  return to_challenge(bytes, nodes_);
}

std::uint64_t SyntheticSet::selected(const Bytes32& replica_id, const Bytes32& seed, std::uint64_t ordinal) const {
  std::array<std::uint8_t, 4> bytes{};
  synthetic_stream(synthetic_selection, replica_id, seed).read(4 * ordinal, bytes);
  return read_little_endian(bytes) % size_;
}

std::vector<std::uint64_t> porep_challenges(const PorepSetup& setup, const SealStatement& statement, unsigned k) {
  const auto draw = challenge_rule(setup, statement);
  const std::uint64_t first = std::uint64_t{k} * setup.challenges_per_partition;
  std::vector<std::uint64_t> out(setup.challenges_per_partition);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = draw(first + i);
  return out;
}

}  // namespace pinion::filecoin
