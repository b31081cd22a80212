// Multi-scalar multiplication, ours and blst's Pippenger on the same threads: blst is given an equal share of the
// points per thread. Scalars are full size. Argument: log2 of the number of points.
#include <benchmark/benchmark.h>
#include <blst.h>

#include <algorithm>
#include <pinion/bls12_381/simd/msm.hpp>
#include <pinion/test/thread_executor.hpp>
#include <random>
#include <thread>

namespace {

using namespace pinion::bls;

unsigned threads() {
  return std::max(1U, std::thread::hardware_concurrency());
}

std::vector<G1Affine> points(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<G1> chain(count);
  G1 next = G1::generator();
  for (G1& point : chain) {
    point = next;
    next = (random() & 1) != 0 ? next.doubled() : next.doubled() + G1Affine::generator();
  }
  std::vector<G1Affine> out(count);
  batch_to_affine<Fp>(chain, out);
  return out;
}
std::vector<Fr> scalars(std::size_t count) {
  std::mt19937_64 random(2);
  std::vector<Fr> out(count);
  for (Fr& scalar : out) scalar = Fr{{random(), random(), random(), random() >> 2}};
  return out;
}

void run(benchmark::State& state, const simd::Kernels* kernels) {
  if (kernels == nullptr) return state.SkipWithError("this CPU has no AVX-512 IFMA");
  const std::size_t count = std::size_t{1} << state.range(0);
  const auto bases = points(count);
  const auto factors = scalars(count);
  pinion::test::ThreadExecutor executor(threads());
  for (auto _ : state) benchmark::DoNotOptimize(simd::msm<Fp>(bases, factors, executor, *kernels));
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

void msm_ifma(benchmark::State& state) {
  run(state, simd::ifma_kernels());
}
void msm_portable(benchmark::State& state) {
  run(state, &simd::portable_kernels());
}

void msm_blst(benchmark::State& state) {
  const std::size_t count = std::size_t{1} << state.range(0);
  const auto bases = points(count);
  std::vector<std::uint8_t> bytes;
  for (const Fr& scalar : scalars(count)) {
    const auto encoded = scalar.to_bytes();
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  pinion::test::ThreadExecutor executor(threads());
  for (auto _ : state) {
    std::vector<blst_p1> sums(threads());
    executor.for_each(threads(), [&](std::uint64_t part) {
      const std::size_t begin = count * part / threads(), length = count * (part + 1) / threads() - begin;
      std::vector<limb_t> scratch(blst_p1s_mult_pippenger_scratch_sizeof(length) / sizeof(limb_t));
      const auto* first = reinterpret_cast<const blst_p1_affine*>(bases.data() + begin);
      const byte* first_scalar = bytes.data() + 32 * begin;
      const blst_p1_affine* const all_points[] = {first, nullptr};
      const byte* const all_scalars[] = {first_scalar, nullptr};
      blst_p1s_mult_pippenger(&sums[part], all_points, length, all_scalars, 255, scratch.data());
    });
    for (std::size_t part = 1; part < sums.size(); ++part) blst_p1_add_or_double(&sums[0], &sums[0], &sums[part]);
    benchmark::DoNotOptimize(sums);
  }
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(msm_ifma)->Arg(10)->Arg(14)->Arg(18)->Arg(20)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(msm_portable)->Arg(10)->Arg(14)->Arg(18)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(msm_blst)->Arg(10)->Arg(14)->Arg(18)->Arg(20)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
