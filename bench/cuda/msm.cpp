// Rows 6 and 7 of the acceptance numbers, and sums in G2: points and scalars on the device, uniform scalars.
#include "msm.hpp"

#include "elements.hpp"
#include "measure.hpp"
#include "points.hpp"

namespace pinion::bench {
namespace {

void uniform(Bench& bench, cuda::Curve curve, unsigned lg, const std::string& name) {
  if (!bench.wants(name)) return;
  const cuda::ArenaScope scope(bench.arena());
  const std::size_t size = std::size_t{1} << lg;
  std::byte *points = nullptr, *memory = nullptr;
  require(bench.arena().take(points, size * cuda::affine_bytes(curve), "points"));
  require(bench.arena().take(memory, size * 32, "scalars"));
  cuda::Fr* const scalars = reinterpret_cast<cuda::Fr*>(memory);
  require(cuda::check::fill_multiples(curve, points, size, bench.arena(), bench.stream()));
  require(cuda::check::fill_random(scalars, size, lg, bench.stream()));
  const auto run = [&] {
    const cuda::ArenaScope inner(bench.arena());
    cuda::MsmOutput out;
    return cuda::msm(curve, {points, nullptr, scalars, size}, bench.arena(), out, bench.stream());
  };
  bench.row(name, run, {{"windows", cuda::windows_for(curve, size).count}});
}

}  // namespace

void bench_msm(Bench& bench) {
  for (const unsigned lg : {20U, 22U, 24U, 26U})
    uniform(bench, cuda::Curve::g1, lg, "MSM G1 uniform 2^" + std::to_string(lg));
  uniform(bench, cuda::Curve::g1, 27, "H MSM 2^27, scalars on device");
  for (const unsigned lg : {18U, 20U, 22U})
    uniform(bench, cuda::Curve::g2, lg, "MSM G2 uniform 2^" + std::to_string(lg));
}

}  // namespace pinion::bench
