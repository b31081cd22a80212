// Rows 3 to 5 of the acceptance numbers: single transforms, device to device, and the chains from a, b to the scalars
// of the H query.
#include "elements.hpp"
#include "measure.hpp"
#include "ntt.hpp"

namespace pinion::bench {

using cuda::Transform;

namespace {

void single(Bench& bench, unsigned lg) {
  const cuda::ArenaScope scope(bench.arena());
  cuda::Ntt ntt;
  require(ntt.build(lg, bench.arena(), bench.stream()));
  std::byte* memory = nullptr;
  const std::size_t size = std::size_t{1} << lg;
  require(bench.arena().take(memory, size * 32, "a transform"));
  cuda::Fr* const data = reinterpret_cast<cuda::Fr*>(memory);
  require(cuda::check::fill_random(data, size, lg, bench.stream()));
  const auto row = [&](const char* what, Transform transform) {
    const std::string name = "NTT 2^" + std::to_string(lg) + " " + what;
    if (bench.wants(name)) bench.row(name, [&] { return ntt.run(transform, data, bench.stream()); });
  };
  row("forward, device to device", Transform::forward_to_permuted);
  row("forward from permuted", Transform::forward_to_natural);
  row("inverse", Transform::inverse_to_permuted);
  row("coset forward", Transform::coset_forward_to_natural);
  row("coset inverse", Transform::coset_inverse_to_permuted);
}

}  // namespace

void bench_transforms(Bench& bench) {
  for (const unsigned lg : {20U, 22U, 24U, 26U, 27U, 28U}) single(bench, lg);
}

}  // namespace pinion::bench
