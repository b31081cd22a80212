// The pieces of number-theoretic transforms over Fr, on tiles: n = 2^log vectors of eight lanes, each lane a column (or
// a row) of the matrix that groth16/domain.cpp lays over the data. All lanes share a twiddle, so that it is broadcast.
// Within a tile: decimation in time from natural to bit-reversed order with one twiddle per block (the Cooley-Tukey
// form that splits X^2h - s^2 into X^h - s and X^h + s), depth first so that small halves stay in L1. Values grow by 2r
// a layer and are reduced when they leave the tile; hence log <= max_tile_log.
// A template over the field's lanes; internal linkage: see ifma_field.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels.hpp"

namespace pinion::bls::simd {
namespace {

template <class F>
class TransformTiles {
 public:
  using Value = typename F::Value;
  using Factor = typename F::Factor;
  using Word = std::uint64_t;
  static constexpr std::size_t w = F::words;

  static void load_columns(void* tile, std::size_t n, const Word* from, std::size_t stride) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = load(from + t * stride * w, w);
  }
  static void multiply_columns(void* tile, std::size_t n, const Word* from, std::size_t stride) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = F::mul(at(tile)[t], F::factor(load(from + t * stride * w, w)));
  }
  static void load_rows(void* tile, std::size_t n, const Word* from, std::size_t stride) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = load(from + t * w, stride * w);
  }

  static void transform(void* tile, unsigned log, const Word* twiddles) {
    if (log > 0) split(at(tile), std::size_t{1} << (log - 1), 0, true, twiddles);
  }
  static void bit_reverse(void* tile, unsigned log) {
    for (std::size_t t = 0; t < std::size_t{1} << log; ++t) {
      const std::size_t other = reversed(t, log);
      if (t >= other) continue;
      const Value kept = at(tile)[t];
      at(tile)[t] = at(tile)[other];
      at(tile)[other] = kept;
    }
  }
  static void multiply_tile(void* tile, std::size_t n, const void* by) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = F::mul(F::reduced(at(tile)[t]), F::factor(F::reduced(at(by)[t])));
  }
  static void multiply_table(void* tile, std::size_t n, const Word* table) {
    for (std::size_t t = 0; t < n; ++t)
      at(tile)[t] = F::reduced(F::lazy_mul(at(tile)[t], F::broadcast_factor(table + t * F::factor_words)));
  }

  static void store_columns(const void* tile, unsigned log, Word* to, std::size_t stride) {
    for (std::size_t t = 0; t < std::size_t{1} << log; ++t)
      store(F::reduced(at(tile)[reversed(t, log)]), to + t * stride * w, w);
  }
  static void store_columns_scaled(const void* tile, unsigned log, Word* to, std::size_t stride, const Word* start,
                                   const Word* ratio) {
    scaled(tile, log, start, ratio, [=](const Value& a, std::size_t t) { store(a, to + t * stride * w, w); });
  }
  static void store_rows_scaled(const void* tile, unsigned log, Word* to, std::size_t stride, const Word* start,
                                const Word* ratio) {
    scaled(tile, log, start, ratio, [=](const Value& a, std::size_t t) { store(a, to + t * w, stride * w); });
  }
  static void store_difference(const void* tile, const void* other, unsigned log, Word* to, std::size_t stride,
                               const Word* start, const Word* ratio, const Word* scale) {
    const Factor by = F::broadcast_factor(scale);
    scaled(tile, log, start, ratio, [=](const Value& a, std::size_t t) {
      const Value b = F::reduced(F::lazy_mul(at(other)[reversed(t, log)], by));
      store(F::sub_reduced(a, b), to + t * stride * w, w);
    });
  }

  static void write_factors(const Word* from, std::size_t n, Word* to) {
    for (std::size_t i = 0; i < n; i += 8) {
      const Word* in[8];
      Word spare[8 * F::factor_words];
      for (std::size_t k = 0; k < 8; ++k) in[k] = from + (i + k < n ? i + k : i) * w;
      F::write_factors(in, n - i >= 8 ? to + i * F::factor_words : spare);
      if (n - i < 8)
        for (std::size_t k = 0; k < (n - i) * F::factor_words; ++k) to[i * F::factor_words + k] = spare[k];
    }
  }

 private:
  static Value* at(void* tile) { return static_cast<Value*>(tile); }
  static const Value* at(const void* tile) { return static_cast<const Value*>(tile); }
  static std::size_t reversed(std::size_t i, unsigned log) {
    std::size_t out = 0;
    for (unsigned k = 0; k < log; ++k) out |= (i >> k & 1) << (log - 1 - k);
    return out;
  }
  // Eight elements `step` words apart.
  [[gnu::always_inline]] static Value load(const Word* from, std::size_t step) {
    const Word* in[8];
    for (std::size_t i = 0; i < 8; ++i) in[i] = from + i * step;
    return F::gather(in);
  }
  [[gnu::always_inline]] static void store(const Value& a, Word* to, std::size_t step) {
    Word* out[8];
    for (std::size_t i = 0; i < 8; ++i) out[i] = to + i * step;
    F::scatter(a, out);
  }

  // Block `block` of its layer, of 2 * half vectors; on the leftmost blocks the twiddle is 1.
  static void split(Value* data, std::size_t half, std::size_t block, bool outermost, const Word* twiddles) {
    if (block == 0 && outermost) {
      for (std::size_t i = 0; i < half; ++i) butterfly_plain<2>(data[i], data[i + half]);
      if (half == 1) return;
      const std::size_t quarter = half / 2;
      for (std::size_t i = 0; i < quarter; ++i) butterfly_plain<4>(data[i], data[i + quarter]);
      descend(data, quarter, 0, twiddles);
      split(data + half, quarter, 1, false, twiddles);
      return;
    }
    const Factor twiddle = F::broadcast_factor(twiddles + block * F::factor_words);
    for (std::size_t i = 0; i < half; ++i) {
      const Value turned = F::lazy_mul(data[i + half], twiddle);
      const Value kept = data[i];
      data[i] = F::lazy_add(kept, turned);
      data[i + half] = F::template lazy_sub<2>(kept, turned);
    }
    descend(data, half, block, twiddles);
  }
  static void descend(Value* data, std::size_t half, std::size_t block, const Word* twiddles) {
    if (half == 1) return;
    split(data, half / 2, 2 * block, false, twiddles);
    split(data + half, half / 2, 2 * block + 1, false, twiddles);
  }
  template <int K>
  [[gnu::always_inline]] static void butterfly_plain(Value& a, Value& b) {
    const Value kept = a;
    a = F::lazy_add(kept, b);
    b = F::template lazy_sub<K>(kept, b);
  }

  // put(vector t * start * ratio^t reduced, t), where the tile holds vector t at its bit-reversed place
  template <class Put>
  static void scaled(const void* tile, unsigned log, const Word* start, const Word* ratio, Put&& put) {
    Factor scale = F::factor(load(start, w));
    const Factor step = F::factor(load(ratio, w));
    for (std::size_t t = 0; t < std::size_t{1} << log; ++t) {
      put(F::reduced(F::lazy_mul(at(tile)[reversed(t, log)], scale)), t);
      scale = F::mul(scale, step);
    }
  }
};

}  // namespace
}  // namespace pinion::bls::simd
