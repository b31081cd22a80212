#include "ntt.hpp"
#include "ntt_small.cuh"

namespace pinion::cuda {
namespace {

// w, w^2, w^3 for the root w of order 8 and for its inverse.
constexpr Fr eighth_roots[2][3] = {
    {{{0x2c42eff8, 0x6ecf4995, 0x4d5dfa57, 0x6ec1fa83, 0x5656b15c, 0x3ff5cf38, 0x229e031b, 0x54b80267}},
     {{0xaa89cfb1, 0xf3b05674, 0x6006b9fe, 0x072f0140, 0x25667a26, 0xce9a0dbf, 0x2d598374, 0x4d2ce405}},
     {{0x3eb2a8dd, 0x111f9842, 0x6f38b840, 0x1f772784, 0x8e3ca13c, 0xb28758a3, 0xed9a48f0, 0x5974f9f7}}},
    {{{0xc14d5724, 0xeee067bc, 0x90c5a3be, 0x34467c7e, 0x7b6536c9, 0x80b27f64, 0x3c033457, 0x1a78ad5b}},
     {{0x55763050, 0x0c4fa98a, 0x9ff7a200, 0x4c8ea2c2, 0xe43b5ddf, 0x649fca48, 0xfc43f9d3, 0x26c0c34d}},
     {{0xd3bd1009, 0x9130b669, 0xb2a061a7, 0xe4fba97f, 0xb34b26a8, 0xf34408cf, 0x06ff7a2c, 0x1f35a4ec}}}};

template <unsigned Bits>
Status launch_tiles(const ntt::PassArguments& pass, ntt::Twiddle when, unsigned lg_size, Stream stream) {
  using ntt::Twiddle;
  const Shape shape{1U << (lg_size - tile_lg), ntt::tile_threads, ntt::tile_bytes};
  constexpr const char* what = "a pass of a transform";
  switch (when) {
    case Twiddle::none:
      return launch(what, ntt::transform_tile<Bits, true, Twiddle::none>, shape, stream, pass);
    case Twiddle::before:
      return launch(what, ntt::transform_tile<Bits, false, Twiddle::before>, shape, stream, pass);
    default:
      return launch(what, ntt::transform_tile<Bits, false, Twiddle::after>, shape, stream, pass);
  }
}

Status launch_pass(unsigned bits, const ntt::PassArguments& pass, ntt::Twiddle when, unsigned lg_size, Stream stream) {
  switch (bits) {
    case 6:
      return launch_tiles<6>(pass, when, lg_size, stream);
    case 7:
      return launch_tiles<7>(pass, when, lg_size, stream);
    case 8:
      return launch_tiles<8>(pass, when, lg_size, stream);
    default:
      return launch_tiles<9>(pass, when, lg_size, stream);
  }
}

__global__ void multiply_kernel(Fr* out, const Fr* a, const Fr* b, std::size_t count) {
  for (std::size_t i = global_thread(); i < count; i += global_threads())
    ntt::store(out + i, ntt::load_data(a + i) * ntt::load_data(b + i));
}

constexpr bool to_permuted(Transform transform) {
  return transform == Transform::forward_to_permuted || transform == Transform::inverse_to_permuted ||
         transform == Transform::coset_inverse_to_permuted;
}

}  // namespace

Status Ntt::run_small(Kind kind, Fr* data, Stream stream) const {
  const Tables& tables = tables_[kind];
  const bool before = kind == coset_forward;
  return launch("a transform", ntt::transform_small, {1, ntt::small_threads, sizeof(Fr) << lg_size_}, stream, data,
                lg_size_, tables.roots, before ? tables.last_digit : nullptr, before ? nullptr : tables.last_digit);
}

Status Ntt::run(Transform transform, Fr* data, Stream stream) const {
  const Kind kind = transform == Transform::coset_forward_to_natural    ? coset_forward
                    : transform == Transform::coset_inverse_to_permuted ? coset_inverse
                    : transform == Transform::forward_to_natural || transform == Transform::forward_to_permuted
                        ? forward
                        : inverse;
  const NttDigits digits(lg_size_);
  if (digits.count == 1) return run_small(kind, data, stream);
  const Tables& tables = tables_[kind];
  const bool inverse_kind = kind == inverse || kind == coset_inverse;
  const bool down = to_permuted(transform);
  unsigned below = down ? lg_size_ : 0;
  for (unsigned step = 0; step < digits.count; ++step) {
    const unsigned i = down ? step : digits.count - 1 - step;
    if (down) below -= digits.bits[i];
    ntt::PassArguments pass{data,    tables.roots, tables.passes[i].high,   tables.passes[i].low, below, 0, nullptr,
                            nullptr, {},           step + 1 == digits.count};
    for (unsigned e = 0; e < 3; ++e) pass.eighth_roots[e] = eighth_roots[inverse_kind ? 1 : 0][e];
    pass.low_bits = tables.passes[i].low_bits;
    const bool last_digit = i + 1 == digits.count;
    if (last_digit) (down ? pass.scale_after : pass.scale_before) = tables.last_digit;
    const ntt::Twiddle when = last_digit ? ntt::Twiddle::none : down ? ntt::Twiddle::after : ntt::Twiddle::before;
    PINION_TRY(launch_pass(digits.bits[i], pass, when, lg_size_, stream));
    if (!down) below += digits.bits[i];
  }
  return {};
}

Status multiply(Fr* out, const Fr* a, const Fr* b, std::size_t count, Stream stream) {
  return launch("products of evaluations", multiply_kernel, {blocks_for(count, 256), 256}, stream, out, a, b, count);
}

}  // namespace pinion::cuda
