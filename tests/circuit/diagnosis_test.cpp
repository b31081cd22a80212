#include <catch2/catch.hpp>
#include <pinion/circuit/diagnosis.hpp>
#include <pinion/circuit/num.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/groth16/evaluate.hpp>

using namespace pinion;
using namespace pinion::circuit;

namespace {
// Three squares, each said to equal its root: wrong but for 0 and 1.
template <ConstraintSystem CS>
void squares(CS& cs, std::uint64_t last) {
  const Num start = alloc_num(cs, Fr::one());
  enforce_equal(cs, start, start);
  const Scope all(cs, "squares");
  for (int i = 0; i < 3; ++i) {
    const Scope scope(cs, "square", i);
    const Num root = alloc_num(cs, i == 2 ? Fr::from_u64(last) : Fr::one());
    // not enforce_equal: that refuses such values at once
    detail::enforce_product(cs, square(cs, root).variable, one_variable, root.variable);
  }
}
}  // namespace

TEST_CASE("an unsatisfied row is traced to its scope") {
  SerialExecutor executor;
  const auto shape = record_shape([](auto& cs) { squares(cs, 0); }, executor);
  PackedWitness witness(*shape);
  write_witness([](auto& cs) { squares(cs, 5); }, *shape, witness.buffers());
  const std::uint64_t row = first_unsatisfied_row(*shape, witness.view(), executor);
  const auto circuit = [](auto& cs) { squares(cs, 0); };
  CHECK(describe_row(circuit, row) == "squares/square_2, row 1 of it, with 1, 1 and 1 terms");
  CHECK(describe_row(circuit, 0) == "outside of any scope, row 0 of it, with 1, 1 and 1 terms");
  CHECK(describe_row(circuit, 7) == "no row 7: the circuit has 7");
}
