#include <catch2/catch.hpp>
#include <pinion/groth16/evaluate.hpp>

#include "shape_example.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::groth16::test;

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
