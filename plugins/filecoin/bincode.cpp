#include <fmt/format.h>

#include <array>
#include <pinion/filecoin/bincode.hpp>
#include <pinion/plugin/error.hpp>

namespace pinion::filecoin {

void Bincode::fail(std::string_view problem) const {
  const std::string_view path = path_.empty() ? std::string_view("the value") : std::string_view(path_).substr(1);
  throw Error(PINION_INVALID_INPUT, fmt::format("{}, byte {}: {}: {}", what_, last_, path, problem));
}

ByteView Bincode::take(std::string_view field, std::size_t count) {
  last_ = at_;
  if (bytes_.size() - at_ < count) {
    const In here(*this, field);
    fail(fmt::format("{} bytes are needed, the input ends after {}", count, bytes_.size() - at_));
  }
  at_ += count;
  return bytes_.subspan(last_, count);
}

std::uint32_t Bincode::u32(std::string_view field) {
  return static_cast<std::uint32_t>(read_little_endian(take(field, 4)));
}

std::uint64_t Bincode::u64(std::string_view field) {
  return read_little_endian(take(field, 8));
}

Bytes32 Bincode::bytes32(std::string_view field) {
  const ByteView bytes = take(field, 32);
  Bytes32 out{};
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return out;
}

bls::Fr Bincode::scalar(std::string_view field) {
  const Bytes32 bytes = bytes32(field);
  const auto value = bls::Fr::from_bytes(bytes);
  if (value) return *value;
  const In here(*this, field);
  fail("not a scalar: its 32 little-endian bytes are not below the field's modulus");
}

void Bincode::length(std::string_view field, std::uint64_t expected, std::string_view noun) {
  const std::uint64_t found = u64(field);
  if (found == expected) return;
  const In here(*this, field);
  fail(fmt::format("{} {}, {} expected", found, noun, expected));
}

void Bincode::end() {
  last_ = at_;
  if (at_ != bytes_.size()) fail(fmt::format("{} bytes follow where the input should end", bytes_.size() - at_));
}

namespace {

// One Path: levels of one arity, appended to `out`.
void read_levels(Bincode& reader, std::string_view field, unsigned arity, unsigned levels, MerklePath& out) {
  const Bincode::In in_field(reader, field);
  reader.length("path", levels, "levels");
  for (unsigned level = 0; level < levels; ++level) {
    const Bincode::In in_level(reader, level);
    reader.length("hashes", arity - 1, "hashes");
    for (unsigned i = 0; i + 1 < arity; ++i) out.siblings.push_back(reader.scalar("hashes"));
    const std::uint64_t index = reader.u64("index");
    if (index >= arity) reader.fail(fmt::format("index {} in a level of arity {}", index, arity));
    out.indices.push_back(static_cast<std::uint8_t>(index));
  }
}

}  // namespace

MerkleOpening read_opening(Bincode& reader, TreeShape shape, std::uint64_t nodes) {
  static constexpr std::array<std::string_view, 3> variants{"Single", "Sub", "Top"};
  const std::uint32_t expected = shape.top != 0 ? 2 : shape.sub != 0 ? 1 : 0;
  const std::uint32_t variant = reader.u32("data");
  if (variant != expected)
    reader.fail(fmt::format("variant {}, but this tree's proofs are of variant {} ({})", variant, expected,
                            variants[expected]));
  MerkleOpening out;
  const auto ends = [&] {
    out.root = reader.scalar("root");
    out.leaf = reader.scalar("leaf");
  };
  if (expected == 0) ends();
  read_levels(reader, expected == 0 ? "path" : "base_proof", shape.base, shape.base_levels(nodes), out.path);
  if (shape.sub != 0) read_levels(reader, "sub_proof", shape.sub, 1, out.path);
  if (shape.top != 0) read_levels(reader, "top_proof", shape.top, 1, out.path);
  if (expected != 0) ends();
  return out;
}

}  // namespace pinion::filecoin
