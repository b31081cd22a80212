// Transforms over Fr: one, and the six of a proof's quotient. Argument: log2 of the size.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <pinion/groth16/domain.hpp>
#include <pinion/test/thread_executor.hpp>
#include <random>
#include <thread>

namespace {

using pinion::bls::Fr;
using pinion::groth16::Domain;
namespace simd = pinion::bls::simd;

std::vector<Fr> values(std::uint64_t size) {
  std::mt19937_64 random(1);
  std::vector<Fr> out(size);
  for (Fr& value : out) value = Fr{{random(), random(), random(), random() >> 2}};
  return out;
}

template <class Work>
void run(benchmark::State& state, const simd::Kernels* kernels, Work&& work) {
  if (kernels == nullptr) return state.SkipWithError("this CPU has no AVX-512 IFMA");
  const Domain domain(static_cast<unsigned>(state.range(0)), *kernels);
  auto a = values(domain.size()), b = a, c = a;
  pinion::test::ThreadExecutor executor(std::max(1U, std::thread::hardware_concurrency()));
  for (auto _ : state) work(domain, a, b, c, executor);
}

using Values = std::vector<Fr>;
void ntt(const Domain& domain, Values& a, Values&, Values& c, pinion::Executor& executor) {
  domain.ntt(a, c, executor);
}
void quotient(const Domain& domain, Values& a, Values& b, Values& c, pinion::Executor& executor) {
  domain.begin_quotient(a, b, a, b, c, executor);
  domain.end_quotient(a, b, c, executor);
}

void ntt_ifma(benchmark::State& state) {
  run(state, simd::ifma_kernels(), ntt);
}
void ntt_portable(benchmark::State& state) {
  run(state, &simd::portable_kernels(), ntt);
}
void quotient_ifma(benchmark::State& state) {
  run(state, simd::ifma_kernels(), quotient);
}
void quotient_portable(benchmark::State& state) {
  run(state, &simd::portable_kernels(), quotient);
}

BENCHMARK(ntt_ifma)->Arg(12)->Arg(18)->Arg(22)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(ntt_portable)->Arg(12)->Arg(18)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(quotient_ifma)->Arg(18)->Arg(22)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(quotient_portable)->Arg(18)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
