#include <catch2/catch.hpp>

#include "shape_example.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::groth16::test;

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

TEST_CASE("several parts may be repeated, with rows between and behind them, but no repetition") {
  SerialExecutor executor;
  ShapeBuilder repeated, added;
  const Term x{0, Fr::from_u64(2)}, y{1, Fr::from_u64(3)};
  for (ShapeBuilder* builder : {&repeated, &added}) {
    builder->add_scalar();
    builder->add_bit();
    builder->add_row({&x, 1}, {}, {});
  }
  const auto first = repeated.mark();
  repeated.add_row({&x, 1}, {&y, 1}, {});
  repeated.repeat(first, 300, executor);
  for (int i = 0; i < 301; ++i) added.add_row({&x, 1}, {&y, 1}, {});
  CHECK_THROWS_AS(repeated.repeat(first, 1, executor), std::logic_error);
  for (ShapeBuilder* builder : {&repeated, &added}) builder->add_row({}, {&y, 1}, {});
  const auto second = repeated.mark();
  repeated.add_row({&y, 1}, {}, {&x, 1});
  repeated.repeat(second, 2, executor);
  for (int i = 0; i < 3; ++i) added.add_row({&y, 1}, {}, {&x, 1});
  for (ShapeBuilder* builder : {&repeated, &added}) builder->add_row({&x, 1}, {}, {});
  CHECK(repeated.rows() == added.rows());
  CHECK(build(std::move(repeated), executor)->digest() == build(std::move(added), executor)->digest());
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
