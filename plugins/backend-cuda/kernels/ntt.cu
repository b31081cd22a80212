#include <algorithm>
#include <bit>
#include <numeric>

#include "ntt.hpp"
#include "ntt_small.cuh"

namespace pinion::cuda {
namespace {

template <unsigned Bits>
Status launch_tiles(bool contiguous, bool before, const ntt::PassArguments& pass, unsigned tiles, Stream stream) {
  const auto kernel = contiguous
                          ? before ? ntt::transform_tile<Bits, true, true> : ntt::transform_tile<Bits, true, false>
                      : before ? ntt::transform_tile<Bits, false, true>
                               : ntt::transform_tile<Bits, false, false>;
  return launch("a pass of a transform", kernel, {tiles, ntt::tile_threads, ntt::tile_bytes}, stream, pass);
}

constexpr bool to_permuted(Transform transform) {
  return transform == Transform::forward_to_permuted || transform == Transform::inverse_to_permuted ||
         transform == Transform::coset_inverse_to_permuted;
}

unsigned tiles_of(unsigned lg_size) {
  return NttDigits(lg_size).count == 1 ? 1 : 1U << (lg_size - tile_lg);
}

}  // namespace

NttColumns::NttColumns(unsigned lg_size, NttPart part) {
  const NttDigits digits(lg_size);
  const unsigned column_bits = digits.count == 1 ? lg_size : lg_size - digits.bits[0];
  pitch = std::size_t{1} << column_bits;
  rows = std::size_t{1} << (lg_size - column_bits);
  width = pitch / part.count;
  begin = width * part.index;
}

unsigned ntt_parts(unsigned lg_size) {
  return std::max(1U, tiles_of(lg_size) >> part_tiles_lg);
}

Status Ntt::run(Transform transform, Fr* data, Stream stream, const Around& around) const {
  PINION_TRY(run_first(transform, data, stream, around, {}));
  return run_rest(transform, data, stream, around);
}

Status Ntt::run_first(Transform transform, Fr* data, Stream stream, const Around& around, NttPart part) const {
  if (!std::has_single_bit(part.count) || part.count > tiles_of(lg_size_) || part.index >= part.count)
    return {Status::bad_argument, "part " + std::to_string(part.index) + " of " + std::to_string(part.count) +
                                      " of a transform of 2^" + std::to_string(lg_size_) + " elements was asked for"};
  return run_pass(0, transform, data, stream, around, part);
}

Status Ntt::run_rest(Transform transform, Fr* data, Stream stream, const Around& around) const {
  const Around after{.minus = around.minus, .factor = around.factor};
  for (unsigned step = 1; step < NttDigits(lg_size_).count; ++step)
    PINION_TRY(run_pass(step, transform, data, stream, after, {}));
  return {};
}

Status Ntt::run_pass(unsigned step, Transform transform, Fr* data, Stream stream, const Around& around,
                     NttPart part) const {
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
  pass.last = step + 1 == digits.count;
  pass.minus = pass.last ? around.minus : nullptr;
  pass.factor = around.factor;
  pass.rounds = rounds_;
  pass.inverse = kind == inverse || kind == coset_inverse;
  if (digits.count == 1)
    return launch("a transform", ntt::transform_small, {1, ntt::small_threads, sizeof(Fr) << lg_size_}, stream, pass,
                  lg_size_, tables.roots + (ntt::quarters << (ntt::small_lg - 1)), tables.passes[0].low,
                  kind == coset_forward);
  const bool down = to_permuted(transform);
  const unsigned digit = down ? step : digits.count - 1 - step;
  const unsigned tiles = tiles_of(lg_size_) / part.count;
  pass.first_block = tiles * part.index;
  pass.high = tables.passes[digit].high;
  pass.low = tables.passes[digit].low;
  pass.low_bits = tables.passes[digit].low_bits;
  pass.column_bits = std::accumulate(digits.bits.begin() + digit + 1, digits.bits.end(), 0U);
  constexpr std::array by_bits = {launch_tiles<6>, launch_tiles<7>, launch_tiles<8>, launch_tiles<9>};
  return by_bits[digits.bits[digit] - 6](digit + 1 == digits.count, !down, pass, tiles, stream);
}

}  // namespace pinion::cuda
