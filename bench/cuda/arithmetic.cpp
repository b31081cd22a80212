// Rows 1 and 2 of the acceptance numbers, and the control kernels.
#include "control.hpp"
#include "measure.hpp"

namespace pinion::bench {
namespace {

using cuda::check::Operation;

void rate(Bench& bench, const std::string& name, Operation operation, void* sink) {
  if (!bench.wants(name)) return;
  const auto run = [&] { return cuda::check::rate(operation, bench.multiprocessors(), sink, bench.stream()); };
  const double giga = cuda::check::operations(operation, bench.multiprocessors()) * 1e-9;
  const double ms = bench.time(run, 3).median_ms;
  bench.row(name, run, {{"giga_per_s", giga / ms * 1e3}});
}

}  // namespace

void bench_arithmetic(Bench& bench) {
  const cuda::ArenaScope scope(bench.arena());
  std::byte *sink = nullptr, *from = nullptr, *to = nullptr;
  constexpr std::size_t bytes = std::size_t{4} << 30;
  require(bench.arena().take(sink, cuda::check::control_sink_bytes, "the control kernels"));
  require(bench.arena().take(from, bytes, "a copy"));
  require(bench.arena().take(to, bytes, "a copy"));
  require(cudaMemsetAsync(from, 0x5A, bytes, bench.stream()), "filling");
  const auto copy = [&] { return cuda::check::copy_kernel(to, from, bytes, bench.stream()); };
  bench.control("copy bandwidth (read + written)", 2e-9 * bytes / bench.time(copy).median_ms * 1e3, "GB/s");
  const auto wide = [&] { return cuda::check::rate(Operation::wide, bench.multiprocessors(), sink, bench.stream()); };
  bench.control(
      "wide multiply rate",
      cuda::check::operations(Operation::wide, bench.multiprocessors()) * 1e-9 / bench.time(wide).median_ms * 1e3,
      "G/s");
  rate(bench, "Fr multiplication throughput", Operation::fr_multiply, sink);
  rate(bench, "Fr multiplication by a known factor", Operation::fr_multiply_by_factor, sink);
  rate(bench, "Fq multiplication throughput", Operation::fp_multiply, sink);
  rate(bench, "Fq squaring throughput", Operation::fp_square, sink);
  rate(bench, "Fq inversion throughput", Operation::fp_inverse, sink);
}

}  // namespace pinion::bench
