#include "ntt.hpp"
#include "ntt_small.cuh"

namespace pinion::cuda {
namespace {

template <unsigned Bits>
Status launch_tiles(bool contiguous, bool before, const ntt::PassArguments& pass, unsigned lg_size, Stream stream) {
  const auto kernel = contiguous
                          ? before ? ntt::transform_tile<Bits, true, true> : ntt::transform_tile<Bits, true, false>
                      : before ? ntt::transform_tile<Bits, false, true>
                               : ntt::transform_tile<Bits, false, false>;
  return launch("a pass of a transform", kernel, {1U << (lg_size - tile_lg), ntt::tile_threads, ntt::tile_bytes},
                stream, pass);
}

constexpr bool to_permuted(Transform transform) {
  return transform == Transform::forward_to_permuted || transform == Transform::inverse_to_permuted ||
         transform == Transform::coset_inverse_to_permuted;
}

}  // namespace

Status Ntt::run(Transform transform, Fr* data, Stream stream, const Around& around) const {
  const Kind kind = transform == Transform::coset_forward_to_natural    ? coset_forward
                    : transform == Transform::coset_inverse_to_permuted ? coset_inverse
                    : transform == Transform::forward_to_natural || transform == Transform::forward_to_permuted
                        ? forward
                        : inverse;
  const NttDigits digits(lg_size_);
  const Tables& tables = tables_[kind];
  ntt::PassArguments pass{};
  pass.from = around.a != nullptr ? around.a : data;
  pass.to = data;
  pass.times = around.b;
  pass.rounds = rounds_;
  pass.inverse = kind == inverse || kind == coset_inverse;
  if (digits.count == 1) {
    pass.minus = around.minus;
    pass.factor = around.factor;
    return launch("a transform", ntt::transform_small, {1, ntt::small_threads, sizeof(Fr) << lg_size_}, stream, pass,
                  lg_size_, tables.roots + (ntt::quarters << (ntt::small_lg - 1)), tables.passes[0].low,
                  kind == coset_forward);
  }
  const bool down = to_permuted(transform);
  unsigned below = down ? lg_size_ : 0;
  for (unsigned step = 0; step < digits.count; ++step) {
    const unsigned i = down ? step : digits.count - 1 - step;
    if (down) below -= digits.bits[i];
    pass.high = tables.passes[i].high;
    pass.low = tables.passes[i].low;
    pass.column_bits = below;
    pass.low_bits = tables.passes[i].low_bits;
    pass.last = step + 1 == digits.count;
    pass.minus = pass.last ? around.minus : nullptr;
    pass.factor = around.factor;
    constexpr std::array by_bits = {launch_tiles<6>, launch_tiles<7>, launch_tiles<8>, launch_tiles<9>};
    PINION_TRY(by_bits[digits.bits[i] - 6](i + 1 == digits.count, !down, pass, lg_size_, stream));
    if (!down) below += digits.bits[i];
    pass.from = data;
    pass.times = nullptr;
  }
  return {};
}

}  // namespace pinion::cuda
