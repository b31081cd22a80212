#include "circuit.hpp"

#include <algorithm>
#include <pinion/bench_case/case.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <stdexcept>

namespace pinion::bench {

CircuitUnderTest CircuitUnderTest::read(const std::string& folder, Executor& executor) {
  const ProofCase input = read_case(folder);
  CircuitUnderTest out{input.kind.id(), groth16::build(input.kind.record(executor), executor), {}, {}, {}};
  out.inputs.resize(out.shape->num_inputs());
  out.bits.resize((out.shape->num_aux() + 63) / 64);
  out.scalars.resize(out.shape->num_scalars());
  input.statement->write_witness(0, circuit::end_of(*out.shape), {out.inputs, out.bits, out.scalars}, executor);
  const auto derived = input.statement->public_inputs(0);
  if (!std::equal(out.inputs.begin() + 1, out.inputs.end(), derived.begin(), derived.end()))
    throw std::runtime_error(folder + ": the witness has other public inputs than a verifier derives");
  return out;
}

std::vector<bls::Fr> CircuitUnderTest::plain(Executor& executor) const {
  constexpr std::uint64_t grain = 1 << 16;
  std::vector<bls::Fr> out(shape->num_aux());
  executor.for_range(out.size(), grain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      out[i] = groth16::aux_value(*shape, witness(), static_cast<std::uint32_t>(i));
  });
  return out;
}

}  // namespace pinion::bench
