// Proofs equal the reference's, byte for byte: small systems of vectors/prims/groth16-small, both job formats, packed
// and plain witnesses, both kernels.
#include <catch2/catch.hpp>
#include <memory>
#include <pinion/backend_cpu/prover.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/test/thread_executor.hpp>

#include "small_system.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::test;
using backend_cpu::Prover;
using backend_cpu::ProverMemory;
using backend_cpu::ProvingKey;
using bls::Fr;
using nlohmann::json;

namespace {

struct LoadedKey {
  VerifyingKey head;
  std::vector<bls::G1Affine> h, l, a, b_g1;
  std::vector<bls::G2Affine> b_g2;

  explicit LoadedKey(const SmallSystem& system) {
    const auto file = File::open(system.params.string());
    const auto layout = ParamsLayout::read(*file);
    head = read_verifying_key(*file, *layout).value();
    h.resize(layout->counts.h);
    l.resize(layout->counts.l);
    a.resize(layout->counts.a);
    b_g1.resize(layout->counts.b);
    b_g2.resize(layout->counts.b);
    SerialExecutor serial;
    REQUIRE(read_queries(*file, *layout, bls::Check::curve, {h, l, a, b_g1, b_g2}, serial));
  }
  ProvingKey view() const { return {head, h, l, a, b_g1, b_g2}; }
};

std::vector<const bls::simd::Kernels*> all_kernels() {
  std::vector<const bls::simd::Kernels*> out{&bls::simd::portable_kernels()};
  if (bls::simd::ifma_kernels() != nullptr) out.push_back(bls::simd::ifma_kernels());
  return out;
}

// A prover and the vectors it works in, as a plan would lend them.
struct Bench {
  LoadedKey key;
  ProverMemory memory;
  std::vector<Fr> a, b, scratch;
  Prover prover;

  Bench(const SmallSystem& system, const Shape& shape, unsigned width, const bls::simd::Kernels& kernels)
      : key(system),
        memory(ProverMemory::of(key.view().counts(), width, kernels)),
        a(memory.evaluations, Fr::from_u64(99)),  // buffers come with whatever was in them
        b(memory.evaluations, Fr::from_u64(98)),
        scratch(memory.scratch, Fr::from_u64(97)),
        prover(key.view(), shape, a, b, scratch, kernels) {}

  void prove(const Witness& witness, Executor& executor) {
    prover.sum_witness(witness, executor);
    prover.begin_quotient(prover.evaluate(witness, executor), executor);
    prover.sum_quotient(executor);
  }
};

std::string proof_of(const Prover& prover, const json& expected) {
  return to_hex(prover.finish(read_fr(expected["r"]), read_fr(expected["s"]))->encode());
}

}  // namespace

TEST_CASE("proofs of small systems equal the reference's") {
  ThreadExecutor threads(2);
  for (const char* name : small_system_names)
    for (const auto* kernels : all_kernels()) {
      CAPTURE(name, kernels->name);
      const SmallSystem system(name);
      const OwnedShape shape = system.shape();
      Bench bench(system, *shape, threads.width(), *kernels);
      for (const json& item : system.json["witnesses"]) {
        const auto inputs = read_frs(item["inputs"]), aux = read_frs(item["aux"]);
        const Witness witness{inputs, {}, aux};
        bench.prove(witness, threads);
        for (const json& proof : item["proofs"])
          CHECK(proof_of(bench.prover, proof) == proof["proof"].get<std::string>());

        std::vector<Fr> a(shape->num_rows()), b(shape->num_rows());
        evaluate(*shape, Matrix::a, witness, a, threads);
        evaluate(*shape, Matrix::b, witness, b, threads);
        bench.prover.sum_witness(witness, threads);
        bench.prover.begin_quotient({a, b}, threads);
        std::fill(a.begin(), a.end(), Fr::zero());  // lent until then
        std::fill(b.begin(), b.end(), Fr::zero());
        bench.prover.sum_quotient(threads);
        CHECK(proof_of(bench.prover, item["proofs"][0]) == item["proofs"][0]["proof"].get<std::string>());
      }
    }
}

// The small systems' circuits call no variable a bit. Here those that are 0 or 1 in every witness are bits, and the
// proof of the packed witness is still the reference's.
TEST_CASE("proofs of packed witnesses equal the reference's") {
  ThreadExecutor threads(2);
  for (const char* name : {"exact", "above"}) {
    CAPTURE(name);
    const SmallSystem system(name);
    std::vector<bool> is_bit(system.json["circuit"]["aux"], true);
    for (const json& item : system.json["witnesses"]) {
      const auto aux = read_frs(item["aux"]);
      for (std::size_t i = 0; i < aux.size(); ++i)
        if (!aux[i].is_zero() && !aux[i].is_one()) is_bit[i] = false;
    }
    REQUIRE(std::count(is_bit.begin(), is_bit.end(), true) > 0);
    const OwnedShape shape = system.shape(is_bit);
    Bench bench(system, *shape, threads.width(), bls::simd::best_kernels());
    for (const json& item : system.json["witnesses"]) {
      const auto inputs = read_frs(item["inputs"]), aux = read_frs(item["aux"]);
      std::vector<std::uint64_t> bits((aux.size() + 63) / 64);
      std::vector<Fr> scalars;
      for (std::size_t i = 0; i < aux.size(); ++i) {
        if (!is_bit[i]) scalars.push_back(aux[i]);
        if (is_bit[i] && aux[i].is_one()) bits[i / 64] |= std::uint64_t{1} << (i % 64);
      }
      const Witness witness{inputs, bits, scalars};
      REQUIRE(check_witness(*shape, witness));
      bench.prove(witness, threads);
      for (const json& proof : item["proofs"])
        CHECK(proof_of(bench.prover, proof) == proof["proof"].get<std::string>());
    }
  }
}

TEST_CASE("a cancelled proof stops in every step") {
  const SmallSystem system("above");
  const OwnedShape shape = system.shape();
  const auto inputs = read_frs(system.json["witnesses"][0]["inputs"]);
  const auto aux = read_frs(system.json["witnesses"][0]["aux"]);
  ThreadExecutor threads(2);
  Bench bench(system, *shape, threads.width(), bls::simd::best_kernels());
  threads.cancel();
  CHECK_THROWS_AS(static_cast<void>(bench.prover.evaluate({inputs, {}, aux}, threads)), Cancelled);
  CHECK_THROWS_AS(bench.prover.sum_witness({inputs, {}, aux}, threads), Cancelled);
  CHECK_THROWS_AS(bench.prover.begin_quotient({bench.a, bench.b}, threads), Cancelled);
  CHECK_THROWS_AS(bench.prover.sum_quotient(threads), Cancelled);
}
