#include "circuit.hpp"

#include <pinion/groth16/shape_builder.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/test/vectors.hpp>

namespace pinion::bench {

CircuitUnderTest CircuitUnderTest::read(const std::string& path, std::size_t k, Executor& executor) {
  const filecoin::C1 c1 = filecoin::read_c1(test::read_file(path));
  const filecoin::PorepSetup setup = c1.proof.setup();
  const circuit::PoseidonSet hashes = filecoin::porep_hashes();
  CircuitUnderTest out{groth16::build(filecoin::record_porep(setup, hashes, executor), executor), {}, {}, {}};
  out.inputs.resize(out.shape->num_inputs());
  out.bits.resize((out.shape->num_aux() + 63) / 64);
  out.scalars.resize(out.shape->num_scalars());
  filecoin::write_porep_witness(setup, hashes, c1.partitions.at(k), circuit::end_of(*out.shape),
                                {out.inputs, out.bits, out.scalars}, executor);
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
