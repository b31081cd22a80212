#include <catch2/catch.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <random>
#include <vector>

using namespace pinion;
using namespace pinion::groth16;
using bls::Fr;

namespace {

struct PlainRow {
  std::array<std::vector<Term>, 3> terms;
};

// A random R1CS and its shape.
struct Example {
  std::vector<bool> is_bit;
  std::uint32_t inputs = 1;
  std::vector<PlainRow> rows;
};

Fr random_fr(std::mt19937_64& random) {
  return Fr::from_canonical({random(), random(), random(), random() >> 2});
}

std::vector<Term> random_terms(std::mt19937_64& random, const Example& example) {
  std::vector<Term> terms;
  const auto coefficient = [&] {
    switch (random() % 4) {
      case 0:
        return Fr::one();
      case 1:
        return -Fr::one();
      case 2:
        return Fr::from_u64(1 + random() % 8);
      default:
        return random() % 16 == 0 ? random_fr(random) : Fr::from_u64(3);
    }
  };
  const auto count = random() % 5;
  for (std::uint32_t i = 0; i < example.inputs; ++i)
    if (random() % 16 == 0) terms.push_back({input_flag | i, coefficient()});
  const std::uint32_t aux = static_cast<std::uint32_t>(example.is_bit.size());
  std::uint32_t next = 0;
  for (std::uint64_t t = 0; t < count && next < aux; ++t) {
    next += static_cast<std::uint32_t>(random() % (aux / 4 + 1));
    if (next < aux) terms.push_back({next++, coefficient()});
  }
  return terms;
}

Example random_example(std::uint64_t seed, std::size_t rows) {
  std::mt19937_64 random(seed);
  Example example;
  example.inputs = 1 + static_cast<std::uint32_t>(random() % 70);
  for (std::size_t i = 0; i < 40 + random() % 2000; ++i) example.is_bit.push_back(random() % 8 != 0);
  for (std::size_t i = 0; i < rows; ++i) {
    PlainRow row;
    for (auto& terms : row.terms) terms = random_terms(random, example);
    example.rows.push_back(row);
  }
  return example;
}

ShapeBuilder builder_of(const Example& example) {
  ShapeBuilder builder;
  for (std::uint32_t i = 1; i < example.inputs; ++i) builder.add_input();
  for (const bool bit : example.is_bit) bit ? builder.add_bit() : builder.add_scalar();
  for (const PlainRow& row : example.rows) builder.add_row(row.terms[0], row.terms[1], row.terms[2]);
  return builder;
}

// A random assignment in both forms.
struct Values {
  std::vector<Fr> inputs, plain, scalars;
  std::vector<std::uint64_t> bits;
  explicit Values(const Example& example, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    bits.resize((example.is_bit.size() + 63) / 64);
    for (std::uint32_t i = 0; i < example.inputs; ++i) inputs.push_back(i == 0 ? Fr::one() : random_fr(random));
    for (std::size_t i = 0; i < example.is_bit.size(); ++i) {
      if (example.is_bit[i]) {
        const std::uint64_t bit = random() % 2;
        plain.push_back(Fr::from_u64(bit));
        bits[i / 64] |= bit << (i % 64);
      } else {
        plain.push_back(random_fr(random));
        scalars.push_back(plain.back());
      }
    }
  }
  Fr of(std::uint32_t code) const { return is_input(code) ? inputs[index_of(code)] : plain[code]; }
  Witness packed_form() const { return {inputs, bits, scalars}; }
  Witness plain_form() const { return {inputs, {}, plain}; }
};

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

TEST_CASE("a shape gives back the rows, bits and densities it was built from") {
  const std::size_t rows =
      GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{256}, std::size_t{257}, std::size_t{3000});
  const Example example = random_example(rows + 1, rows);
  SerialExecutor executor;
  const OwnedShape owned = build(builder_of(example), executor);
  const auto opened = Shape::open(owned->bytes(), executor);
  REQUIRE(opened);
  const Shape& shape = *opened;
  REQUIRE(shape.num_rows() == rows + example.inputs);
  REQUIRE(shape.num_aux() == example.is_bit.size());
  std::vector<bool> a_aux(shape.num_aux()), b_aux(shape.num_aux()), b_input(shape.num_inputs());
  for (const Matrix m : matrices) {
    const std::uint64_t begin = rows / 3;  // inside a block
    std::uint64_t expected = begin;
    shape.for_each_row(m, begin, shape.num_rows(), [&](std::uint64_t row, const Shape::Row& got) {
      REQUIRE(row == expected++);
      const std::vector<Term> input_row{{input_flag | static_cast<std::uint32_t>(row - rows), Fr::one()}};
      const auto& want = row < rows       ? example.rows[row].terms[static_cast<std::size_t>(m)]
                         : m == Matrix::a ? input_row
                                          : std::vector<Term>{};
      REQUIRE(got.columns.size() == want.size());
      for (std::size_t t = 0; t < want.size(); ++t) {
        CHECK(got.columns[t] == want[t].variable);
        CHECK(shape.coefficients()[got.coefficients[t]] == want[t].coefficient);
      }
    });
    CHECK(expected == shape.num_rows());
  }
  for (const auto& row : example.rows) {
    for (const Term& t : row.terms[0])
      if (!is_input(t.variable)) a_aux[t.variable] = true;
    for (const Term& t : row.terms[1]) (is_input(t.variable) ? b_input : b_aux)[index_of(t.variable)] = true;
  }
  const auto check_bits = [](const Bitmap& got, const std::vector<bool>& want) {
    std::uint64_t ones = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      REQUIRE(got.test(i) == want[i]);
      REQUIRE(got.rank(i) == ones);
      ones += want[i];
    }
    CHECK(got.rank(want.size()) == ones);
    CHECK(got.ones == ones);
  };
  check_bits(shape.a_aux(), a_aux);
  check_bits(shape.b_aux(), b_aux);
  check_bits(shape.b_input(), b_input);
  check_bits(shape.is_bit(), example.is_bit);
}

TEST_CASE("evaluation of packed and plain witnesses is the sum over terms") {
  const Example example = random_example(5, 1500);
  const Values values(example, 6);
  SerialExecutor executor;
  const OwnedShape shape = build(builder_of(example), executor);
  REQUIRE(check_witness(*shape, values.packed_form()));
  REQUIRE(check_witness(*shape, values.plain_form()));
  for (std::uint32_t i = 0; i < shape->num_aux(); ++i) {
    REQUIRE(aux_value(*shape, values.packed_form(), i) == values.plain[i]);
    REQUIRE(aux_value(*shape, values.plain_form(), i) == values.plain[i]);
  }
  for (const Matrix m : matrices) {
    std::vector<Fr> packed(shape->num_rows()), plain(shape->num_rows());
    evaluate(*shape, m, values.packed_form(), packed, executor);
    evaluate(*shape, m, values.plain_form(), plain, executor);
    CHECK(packed == plain);
    for (std::size_t row = 0; row < example.rows.size(); ++row) {
      Fr sum;
      for (const Term& t : example.rows[row].terms[static_cast<std::size_t>(m)])
        sum += t.coefficient * values.of(t.variable);
      REQUIRE(packed[row] == sum);
    }
  }
}

TEST_CASE("the first unsatisfied row is found") {
  ShapeBuilder builder;
  const std::uint32_t x = builder.add_scalar(), y = builder.add_scalar();
  const Term tx{x, Fr::one()}, ty{y, Fr::one()};
  for (int i = 0; i < 40000; ++i) builder.add_row({&tx, 1}, {&tx, 1}, {&ty, 1});
  builder.add_row({&tx, 1}, {&tx, 1}, {&tx, 1});
  SerialExecutor executor;
  const OwnedShape shape = build(std::move(builder), executor);
  const std::vector<Fr> inputs{Fr::one()};
  const std::vector<Fr> good{Fr::one(), Fr::one()}, late{Fr::from_u64(2), Fr::from_u64(4)}, bad{Fr::one(), Fr::zero()};
  CHECK(first_unsatisfied_row(*shape, {inputs, {}, good}, executor) == shape->num_rows());
  CHECK(first_unsatisfied_row(*shape, {inputs, {}, late}, executor) == 40000);
  CHECK(first_unsatisfied_row(*shape, {inputs, {}, bad}, executor) == 0);
}

TEST_CASE("witnesses that do not fit the shape are refused") {
  const Example example = random_example(7, 10);
  Values values(example, 8);
  SerialExecutor executor;
  const OwnedShape shape = build(builder_of(example), executor);
  Witness witness = values.packed_form();
  witness.scalars = witness.scalars.first(1);
  CHECK(check_witness(*shape, witness).error().code == ErrorCode::mismatch);
  witness = values.packed_form();
  witness.inputs = {};
  CHECK_FALSE(check_witness(*shape, witness));
  witness = values.packed_form();
  witness.bits = witness.bits.first(0);
  CHECK_FALSE(check_witness(*shape, witness));
  values.bits.assign(values.bits.size(), ~std::uint64_t{0});
  CHECK_FALSE(check_witness(*shape, values.packed_form()));
  values = Values(example, 8);
  values.inputs[0] = Fr::zero();
  CHECK_FALSE(check_witness(*shape, values.packed_form()));
}

TEST_CASE("a prefix without C serves A and B") {
  SerialExecutor executor;
  const OwnedShape whole = build(builder_of(random_example(9, 600)), executor);
  const ShapeLayout layout(whole->counts());
  const auto prefix = Shape::open(whole->bytes().first(layout.bytes_without_c), executor);
  REQUIRE(prefix);
  CHECK(prefix->has(Matrix::b));
  CHECK_FALSE(prefix->has(Matrix::c));
  CHECK(prefix->digest() == whole->digest());
  const auto cut = Shape::open(whole->bytes().first(layout.bytes_without_c - 1), executor);
  REQUIRE_FALSE(cut);
  CHECK(cut.error().code == ErrorCode::truncated);
}

TEST_CASE("the same circuit has the same digest, another has another") {
  SerialExecutor executor;
  Example example = random_example(10, 300);
  const OwnedShape first = build(builder_of(example), executor);
  const OwnedShape again = build(builder_of(example), executor);
  CHECK(first->digest() == again->digest());
  example.is_bit[0] = !example.is_bit[0];
  CHECK(build(builder_of(example), executor)->digest() != first->digest());
}

TEST_CASE("rows that are no rows are refused when added") {
  ShapeBuilder builder;
  const std::uint32_t x = builder.add_scalar(), y = builder.add_scalar();
  const std::vector<std::vector<Term>> bad{{{y, Fr::one()}, {x, Fr::one()}},           // descending
                                           {{x, Fr::one()}, {x, Fr::one()}},           // twice
                                           {{x, Fr::one()}, {input_flag, Fr::one()}},  // input after aux
                                           {{x, Fr::zero()}},                          // zero
                                           {{2, Fr::one()}},                           // unknown
                                           {{input_flag | 1, Fr::one()}}};
  for (const auto& terms : bad) CHECK_THROWS_AS(builder.add_row(terms, {}, {}), std::invalid_argument);
}

TEST_CASE("a repeated part is the part added again over new variables") {
  SerialExecutor executor;
  std::mt19937_64 random(17);
  // Rows over the variables before the part and those of the part itself.
  struct Part {
    std::vector<int> variables;  // 0 input, 1 bit, 2 scalar
    std::vector<PlainRow> rows;
  };
  const std::uint32_t old_aux = 100, copies = 9;
  for (const std::size_t size : {1U, 63U, 64U, 65U, 700U}) {
    Part part;
    std::uint32_t inputs = 0, aux = 0;
    for (std::size_t i = 0; i < size; ++i) {
      part.variables.push_back(static_cast<int>(random() % 3));
      (part.variables.back() == 0 ? inputs : aux) += 1;
    }
    for (std::size_t i = 0; i < size; ++i) {
      PlainRow row;
      for (auto& terms : row.terms) {
        for (std::uint32_t v = 0; v < 1 + inputs; ++v)
          if (random() % (2 + inputs) == 0) terms.push_back({input_flag | v, Fr::from_u64(1 + random() % 3)});
        for (std::uint32_t v = 0; v < old_aux + aux; ++v)
          if (random() % 50 == 0) terms.push_back({v, Fr::from_u64(1 + random() % 3)});
      }
      part.rows.push_back(row);
    }
    const auto add = [&](ShapeBuilder& builder, std::uint32_t copy) {
      for (const int sort : part.variables)
        sort == 0 ? builder.add_input() : sort == 1 ? builder.add_bit() : builder.add_scalar();
      for (PlainRow row : part.rows) {
        for (auto& terms : row.terms)
          for (Term& t : terms) {
            if (is_input(t.variable) && t.variable != input_flag) t.variable += copy * inputs;
            if (!is_input(t.variable) && t.variable >= old_aux) t.variable += copy * aux;
          }
        builder.add_row(row.terms[0], row.terms[1], row.terms[2]);
      }
    };
    ShapeBuilder repeated, added;
    for (ShapeBuilder* builder : {&repeated, &added}) {
      for (std::uint32_t i = 0; i < old_aux; ++i) i % 3 == 0 ? builder->add_scalar() : builder->add_bit();
      builder->add_row({}, {}, {});
    }
    const auto start = repeated.mark();
    add(repeated, 0);
    repeated.repeat(start, copies - 1, executor);
    for (std::uint32_t copy = 0; copy < copies; ++copy) add(added, copy);
    const OwnedShape got = build(std::move(repeated), executor);
    REQUIRE(Shape::open(got->bytes(), executor));
    CHECK(got->digest() == build(std::move(added), executor)->digest());
  }
}

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
