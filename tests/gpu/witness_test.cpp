// Witness, rows of a circuit and the quotient: against the CPU's shapes and the definition of h.
#include "witness.hpp"

#include <catch2/catch.hpp>
#include <pinion/groth16/evaluate.hpp>

#include "device.hpp"
#include "quotient.hpp"
#include "rows.hpp"
#include "shape_example.hpp"
#include "shape_view.hpp"

namespace {

using namespace pinion;
using groth16::Section;
using test::DeviceVector;

// A random circuit with a witness, on both sides.
struct Circuit {
  explicit Circuit(std::size_t rows)
      : example(groth16::test::random_example(rows + 7, rows)),
        values(example, rows),
        shape(groth16::build(groth16::test::builder_of(example), executor)),
        flat(std::vector<std::uint8_t>(shape->bytes().begin(), shape->bytes().end())),
        inputs(values.inputs),
        bits(values.bits),
        scalars(values.scalars),
        plain(values.plain),
        view(flat.get(), shape->counts()) {}

  cuda::DeviceWitness witness(bool packed) {
    cuda::DeviceWitness out;
    out.inputs = inputs.as<cuda::Fr>();
    out.bits = packed ? bits.get() : nullptr;
    out.scalars = (packed ? scalars : plain).as<cuda::Fr>();
    out.is_bit = view.bitmap(Section::is_bit_words, Section::is_bit_ranks);
    out.num_inputs = shape->num_inputs();
    out.num_aux = shape->num_aux();
    return out;
  }

  SerialExecutor executor;
  groth16::test::Example example;
  groth16::test::Values values;
  groth16::OwnedShape shape;
  DeviceVector<std::uint8_t> flat;
  DeviceVector<bls::Fr> inputs;
  DeviceVector<std::uint64_t> bits;
  DeviceVector<bls::Fr> scalars, plain;
  cuda::ShapeView view;
};

bls::Fr evaluate(const std::vector<bls::Fr>& coefficients, const bls::Fr& at) {
  bls::Fr sum = bls::Fr::zero();
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * at + coefficients[i];
  return sum;
}

}  // namespace

TEST_CASE("rows of a circuit are evaluated as on the CPU, the domain beyond them is zero") {
  const std::size_t rows = GENERATE(std::size_t{1}, std::size_t{255}, std::size_t{300}, std::size_t{1500});
  Circuit circuit(rows);
  const bool packed = GENERATE(true, false);
  for (const groth16::Matrix m : groth16::matrices) {
    const std::size_t count = circuit.shape->num_rows(), size = count + 100;
    std::vector<bls::Fr> expected(count);
    groth16::evaluate(*circuit.shape, m, {circuit.values.inputs, circuit.values.bits, circuit.values.scalars}, expected,
                      circuit.executor);
    expected.resize(size);
    DeviceVector<bls::Fr> out(size);
    REQUIRE(cuda::evaluate_rows(circuit.view.rows(m), circuit.witness(packed), out.as<cuda::Fr>(), size, nullptr).ok());
    CHECK(out.download() == expected);
  }
}

TEST_CASE("the witness expands, and each query finds its ones and its scalars") {
  const std::size_t rows = GENERATE(std::size_t{10}, std::size_t{400});
  const bool packed = GENERATE(true, false);
  Circuit circuit(rows);
  const groth16::Shape& shape = *circuit.shape;
  const cuda::DeviceWitness witness = circuit.witness(packed);
  test::DeviceArena arena(1 << 22);

  DeviceVector<bls::Fr> expanded(shape.num_aux());
  REQUIRE(cuda::expand(witness, expanded.as<cuda::Fr>(), nullptr).ok());
  CHECK(expanded.download() == circuit.values.plain);

  for (const bool dense : {true, false}) {
    cuda::QueryAux query;
    query.first_point = 11;
    if (!dense) query.density = circuit.view.bitmap(Section::a_aux_words, Section::a_aux_ranks);
    std::vector<std::uint32_t> ones, points;
    std::vector<bls::Fr> values;
    std::uint32_t point = query.first_point;
    for (std::uint32_t i = 0; i < shape.num_aux(); ++i) {
      if (!dense && !shape.a_aux().test(i)) continue;
      if (packed && shape.is_bit().test(i)) {
        if (circuit.values.plain[i].is_one()) ones.push_back(point);
      } else {
        points.push_back(point);
        values.push_back(circuit.values.plain[i]);
      }
      ++point;
    }
    DeviceVector<std::uint32_t> list(shape.num_aux()), count(1), list_points(points.size());
    DeviceVector<bls::Fr> list_values(values.size());
    REQUIRE(cuda::list_ones(witness, query, list.get(), count.get(), arena.arena, nullptr).ok());
    REQUIRE(
        cuda::list_scalars(witness, query, list_points.get(), list_values.as<cuda::Fr>(), arena.arena, nullptr).ok());
    REQUIRE(count.download()[0] == ones.size());
    auto got = list.download();
    got.resize(ones.size());
    CHECK(got == ones);
    CHECK(list_points.download() == points);
    CHECK(list_values.download() == values);
  }
}

TEST_CASE("a plain witness is classified, and its terms are counted as they are listed") {
  Circuit circuit(700);
  const groth16::Shape& shape = *circuit.shape;
  const std::size_t words = (shape.num_aux() + 63) / 64;
  cuda::DeviceWitness witness = circuit.witness(false);
  DeviceVector<std::uint64_t> is_bit(words), bits(words);
  REQUIRE(cuda::classify(witness.scalars, witness.num_aux, is_bit.get(), bits.get(), nullptr).ok());
  witness.bits = bits.get();
  witness.is_bit = {is_bit.get(), nullptr};
  witness.scalars_are_dense = false;
  cuda::QueryAux query;
  query.density = circuit.view.bitmap(Section::a_aux_words, Section::a_aux_ranks);
  std::vector<std::uint32_t> ones, others;
  std::vector<bls::Fr> values;
  std::vector<std::uint64_t> expected_bits(words), expected_classes(words);
  std::uint32_t point = 0;
  for (std::uint32_t i = 0; i < shape.num_aux(); ++i) {
    const bls::Fr& value = circuit.values.plain[i];
    const bool bit = value.is_zero() || value.is_one();
    expected_bits[i / 64] |= std::uint64_t{value.is_one()} << (i % 64);
    expected_classes[i / 64] |= std::uint64_t{bit} << (i % 64);
    if (!shape.a_aux().test(i)) continue;
    if (value.is_one()) ones.push_back(point);
    if (!bit) {
      others.push_back(point);
      values.push_back(value);
    }
    ++point;
  }
  CHECK(bits.download() == expected_bits);
  CHECK(is_bit.download() == expected_classes);

  DeviceVector<std::uint32_t> counts(std::vector<std::uint32_t>{0, 0});
  REQUIRE(cuda::count_terms(witness, query, counts.get(), nullptr).ok());
  CHECK(counts.download() ==
        std::vector{static_cast<std::uint32_t>(ones.size()), static_cast<std::uint32_t>(others.size())});
  test::DeviceArena arena(1 << 22);
  DeviceVector<std::uint32_t> list(ones.size()), count(1), list_points(others.size());
  DeviceVector<bls::Fr> list_values(others.size());
  REQUIRE(cuda::list_ones(witness, query, list.get(), count.get(), arena.arena, nullptr).ok());
  REQUIRE(cuda::list_scalars(witness, query, list_points.get(), list_values.as<cuda::Fr>(), arena.arena, nullptr).ok());
  CHECK(list.download() == ones);
  CHECK(list_points.download() == others);
  CHECK(list_values.download() == values);

  std::vector<bls::Fr> expected(shape.num_rows());
  groth16::evaluate(shape, groth16::Matrix::a, {circuit.values.inputs, circuit.values.bits, circuit.values.scalars},
                    expected, circuit.executor);
  DeviceVector<bls::Fr> rows(shape.num_rows());
  REQUIRE(cuda::evaluate_rows(circuit.view.rows(groth16::Matrix::a), witness, rows.as<cuda::Fr>(), shape.num_rows(),
                              nullptr)
              .ok());
  CHECK(rows.download() == expected);
}

TEST_CASE("h times the domain's polynomial is a b - c") {
  const unsigned lg = GENERATE(1U, 3U, 11U, 13U);
  const std::size_t size = std::size_t{1} << lg;
  std::mt19937_64 random(lg);
  std::vector<bls::Fr> a(size), b(size);
  for (auto& x : a) x = groth16::test::random_fr(random);
  for (auto& x : b) x = groth16::test::random_fr(random);
  test::DeviceArena arena(cuda::Ntt::table_bytes(lg));
  cuda::Ntt ntt;
  REQUIRE(ntt.build(lg, arena.arena, nullptr).ok());
  const auto natural_coefficients = [&](std::vector<bls::Fr> values, bool permuted_already) {
    if (!permuted_already) {
      DeviceVector<bls::Fr> data(values);
      REQUIRE(ntt.run(cuda::Transform::inverse_to_permuted, data.as<cuda::Fr>(), nullptr).ok());
      values = data.download();
    }
    std::vector<bls::Fr> out(size);
    for (std::size_t i = 0; i < size; ++i) out[cuda::permuted_index(lg, i)] = values[i];
    return out;
  };
  DeviceVector<bls::Fr> x(a), y(b), c(size);
  REQUIRE(cuda::quotient(ntt, x.as<cuda::Fr>(), y.as<cuda::Fr>(), c.as<cuda::Fr>(), nullptr).ok());
  const auto h = natural_coefficients(x.download(), true);
  std::vector<bls::Fr> ab(size);
  for (std::size_t i = 0; i < size; ++i) ab[i] = a[i] * b[i];
  const bls::Fr at = groth16::test::random_fr(random);
  const bls::Fr product = evaluate(natural_coefficients(a, false), at) * evaluate(natural_coefficients(b, false), at);
  const bls::Fr domain = at.pow(size) - bls::Fr::one();
  CHECK(product == evaluate(h, at) * domain + evaluate(natural_coefficients(ab, false), at));
  CHECK(h.back().is_zero());
}
