#include <catch2/catch.hpp>
#include <pinion/groth16/evaluate.hpp>

#include "shape_example.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::groth16::test;

namespace {

// Makes digests fit the (changed) contents, so that only the structural checks stand between the bytes and a reader.
void seal(std::span<std::uint8_t> bytes) {
  auto header = ShapeHeader::parse(bytes);
  REQUIRE(header);
  const ShapeLayout layout(header->counts);
  for (std::size_t s = 0; s < section_count; ++s) {
    const auto section = bytes.subspan(layout.extents[s].offset, layout.extents[s].bytes);
    std::vector<ShapeDigest> pieces;
    for (std::size_t at = 0; at < section.size(); at += digest_piece_bytes)
      pieces.push_back(sha256(section.subspan(at, std::min<std::size_t>(digest_piece_bytes, section.size() - at))));
    header.value().sections[s] = digest_of_pieces(pieces);
  }
  header.value().write(bytes.first<ShapeHeader::bytes>());
}

}  // namespace

TEST_CASE("damage is found by digests") {
  SerialExecutor executor;
  OwnedShape shape = build(builder_of(random_example(11, 400)), executor);
  std::mt19937_64 random(12);
  for (int round = 0; round < 2000; ++round) {
    auto& byte = shape.bytes()[random() % shape.bytes().size()];
    const std::uint8_t kept = byte;
    byte = static_cast<std::uint8_t>(byte ^ (1U << random() % 8));
    REQUIRE_FALSE(Shape::open(shape.bytes(), executor));
    byte = kept;
  }
  CHECK(Shape::open(shape.bytes(), executor));
}

TEST_CASE("hostile contents under right digests are refused or harmless") {
  SerialExecutor executor;
  const Example example = random_example(13, 400);
  const Values values(example, 14);
  const OwnedShape original = build(builder_of(example), executor);
  OwnedShape shape = build(builder_of(example), executor);
  std::mt19937_64 random(15);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::ranges::copy(original->bytes(), shape.bytes().begin());
    for (std::uint64_t n = 1 + random() % 3; n-- > 0;) {
      const std::size_t at = ShapeHeader::bytes + random() % (shape.bytes().size() - ShapeHeader::bytes);
      shape.bytes()[at] = static_cast<std::uint8_t>(random() % 2 == 0 ? random() : 0xff);
    }
    seal(shape.bytes());
    const auto opened = Shape::open(shape.bytes(), executor);
    if (!opened) {
      ++refused;
      CHECK(opened.error().code == ErrorCode::malformed);
      continue;
    }
    std::vector<Fr> out(opened->num_rows());
    if (check_witness(*opened, values.packed_form()))
      for (const Matrix m : matrices) evaluate(*opened, m, values.packed_form(), out, executor);
  }
  CHECK(refused > 2000);
}

TEST_CASE("headers with hostile counts are refused") {
  SerialExecutor executor;
  OwnedShape shape = build(builder_of(random_example(16, 20)), executor);
  const auto good = ShapeHeader::parse(shape.bytes()).value();
  const auto refuse = [&](auto&& change) {
    ShapeHeader header = good;
    change(header.counts);
    header.write(shape.bytes().first<ShapeHeader::bytes>());
    CHECK_FALSE(Shape::open(shape.bytes(), executor));
  };
  refuse([](ShapeCounts& c) { c.inputs = 0; });
  refuse([](ShapeCounts& c) { c.inputs = 0xffffffff; });
  refuse([](ShapeCounts& c) { c.aux = 0xffffffff; });
  refuse([](ShapeCounts& c) { c.aux = 0; });
  refuse([](ShapeCounts& c) { c.rows = ~std::uint64_t{0}; });
  refuse([](ShapeCounts& c) { c.rows = std::uint64_t{1} << 32; });
  refuse([](ShapeCounts& c) { c.terms[1] = ~std::uint64_t{0}; });
  refuse([](ShapeCounts& c) { c.patterns = 0xffffffff; });
  refuse([](ShapeCounts& c) { c.patterns = 0; });
  refuse([](ShapeCounts& c) { c.pattern_coefficients = ~std::uint64_t{0}; });
  refuse([](ShapeCounts& c) { c.coefficients = 0xffffffff; });
  CHECK_FALSE(Shape::open({}, executor));
}
