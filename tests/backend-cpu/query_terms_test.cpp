// Which point meets which value, against the definition, on a shape longer than one block.
#include <catch2/catch.hpp>
#include <pinion/backend_cpu/query_terms.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <pinion/test/thread_executor.hpp>
#include <random>

using namespace pinion;
using namespace pinion::groth16;
using backend_cpu::QueryTerms;
using bls::Fr;

namespace {

struct Example {
  OwnedShape shape;
  std::vector<Fr> inputs, plain, scalars;
  std::vector<std::uint64_t> bits;

  Witness packed() const { return {inputs, bits, scalars}; }
  Witness whole() const { return {inputs, {}, plain}; }
};

// Aux at random: a bit or a scalar, in A, in B, in both, or only in C.
Example example(std::uint32_t aux) {
  std::mt19937 random(aux);
  ShapeBuilder builder;
  Example out{OwnedShape(0), {Fr::one(), Fr::from_u64(7), Fr::from_u64(8)}, {}, {}, {}};
  for (int i = 1; i < 3; ++i) builder.add_input();
  out.bits.resize((aux + 63) / 64);
  for (std::uint32_t i = 0; i < aux; ++i) {
    const bool is_bit = random() % 4 != 0, one = random() % 2 != 0;
    is_bit ? builder.add_bit() : builder.add_scalar();
    out.plain.push_back(is_bit ? Fr::from_u64(one ? 1 : 0) : Fr::from_u64(1000 + i));
    if (is_bit && one) out.bits[i / 64] |= std::uint64_t{1} << (i % 64);
    if (!is_bit) out.scalars.push_back(out.plain.back());
  }
  for (std::uint32_t i = 0; i < aux; ++i) {
    const std::vector<Term> term{{i, Fr::one()}}, input{{input_flag | 2, Fr::one()}};
    const unsigned where = random() % 4;
    builder.add_row((where & 1) != 0 ? term : std::vector<Term>{}, (where & 2) != 0 ? term : input, term);
  }
  SerialExecutor serial;
  out.shape = build(std::move(builder), serial);
  return out;
}

// The query's values in order, zero where nothing was listed.
std::vector<Fr> values(const QueryTerms& terms, std::size_t length) {
  std::vector<Fr> out(length);
  const auto put = [&](std::size_t position, const Fr& value) {
    if (position >= length || !out[position].is_zero()) FAIL("position " << position << " out of range, or twice");
    out[position] = value;
  };
  std::vector<bls::simd::PointRef> ones;
  for (std::uint64_t block = 0; block < terms.blocks(); ++block) {
    ones.clear();
    terms.list_ones(block, ones);
    for (const auto ref : ones) put(ref, Fr::one());
  }
  std::vector<std::uint32_t> positions(terms.scalar_count());
  std::vector<Fr> scalars(terms.scalar_count());
  test::ThreadExecutor threads(2);
  terms.gather_scalars(positions, scalars, threads);
  for (std::size_t i = 0; i < positions.size(); ++i) put(positions[i], scalars[i]);
  return out;
}

}  // namespace

TEST_CASE("queries meet the values of their variables") {
  for (const std::uint32_t aux : {1U, 64U, 70U, 40000U, 65536U}) {
    CAPTURE(aux);
    const Example e = example(aux);
    std::vector<Fr> a = e.inputs, b, l = e.plain;
    for (std::uint32_t i = 0; i < 3; ++i)
      if (e.shape->b_input().test(i)) b.push_back(e.inputs[i]);
    for (std::uint32_t i = 0; i < aux; ++i) {
      if (e.shape->a_aux().test(i)) a.push_back(e.plain[i]);
      if (e.shape->b_aux().test(i)) b.push_back(e.plain[i]);
    }
    for (const Witness& witness : {e.packed(), e.whole()}) {
      CHECK(values(QueryTerms::a(*e.shape, witness), a.size()) == a);
      CHECK(values(QueryTerms::b(*e.shape, witness), b.size()) == b);
      CHECK(values(QueryTerms::l(*e.shape, witness), l.size()) == l);
    }
  }
}
