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

  [[gnu::flatten]] static void load_columns(void* tile, std::size_t n, const Word* from, std::size_t stride) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = load(from + t * stride * w, w);
  }
  [[gnu::flatten]] static void multiply_columns(void* tile, std::size_t n, const Word* from, std::size_t stride) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = F::mul(at(tile)[t], F::factor(load(from + t * stride * w, w)));
  }
  [[gnu::flatten]] static void load_rows(void* tile, std::size_t n, const Word* from, std::size_t stride) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = load(from + t * w, stride * w);
  }

  static void transform(void* tile, unsigned log, const Word* twiddles) {
    Value* const data = at(tile);
    if (log == 0) return;
    const std::size_t half = std::size_t{1} << (log - 1);
    turn_by_one<2>(data, half);  // the twiddles of the first layer and of half the second are 1
    if (log == 1) return;
    turn_by_one<4>(data, half / 2);
    descend(data, half / 2, 0, twiddles);
    split(data + half, half / 2, 1, twiddles);
  }
  [[gnu::flatten]] static void bit_reverse(void* tile, unsigned log) {
    for (std::size_t t = 0; t < std::size_t{1} << log; ++t) {
      const std::size_t other = reversed(t, log);
      if (t >= other) continue;
      const Value kept = at(tile)[t];
      at(tile)[t] = at(tile)[other];
      at(tile)[other] = kept;
    }
  }
  [[gnu::flatten]] static void multiply_tile(void* tile, std::size_t n, const void* by) {
    for (std::size_t t = 0; t < n; ++t) at(tile)[t] = F::mul(F::reduced(at(tile)[t]), F::factor(F::reduced(at(by)[t])));
  }
  [[gnu::flatten]] static void multiply_table(void* tile, std::size_t n, const Word* table) {
    for (std::size_t t = 0; t < n; ++t)
      at(tile)[t] = F::reduced(F::lazy_mul(at(tile)[t], F::broadcast_factor(table + t * F::factor_words)));
  }

  [[gnu::flatten]] static void store_columns(const void* tile, unsigned log, Word* to, std::size_t stride) {
    for (std::size_t t = 0; t < std::size_t{1} << log; ++t)
      store(F::reduced(at(tile)[reversed(t, log)]), to + t * stride * w, w);
  }
  [[gnu::flatten]] static void store_columns_scaled(const void* tile, unsigned log, Word* to, std::size_t stride,
                                                    const Word* start, const Word* ratio) {
    scaled(tile, log, start, ratio, [=](const Value& a, std::size_t t) { store(a, to + t * stride * w, w); });
  }
  [[gnu::flatten]] static void store_rows_scaled(const void* tile, unsigned log, Word* to, std::size_t stride,
                                                 const Word* start, const Word* ratio) {
    scaled(tile, log, start, ratio, [=](const Value& a, std::size_t t) { store(a, to + t * w, stride * w); });
  }
  [[gnu::flatten]] static void store_difference(const void* tile, const void* other, unsigned log, Word* to,
                                                std::size_t stride, const Word* start, const Word* ratio,
                                                const Word* scale) {
    const Factor by = F::broadcast_factor(scale);
    scaled(tile, log, start, ratio, [=](const Value& a, std::size_t t) {
      const Value b = F::reduced(F::lazy_mul(at(other)[reversed(t, log)], by));
      store(F::sub_reduced(a, b), to + t * stride * w, w);
    });
  }

  [[gnu::flatten]] static void write_factors(const Word* from, std::size_t n, Word* to) {
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

  // Vectors i and i + half of a block, for all i < half: a + s b and a - s b.
  [[gnu::flatten]] static void turn(Value* data, std::size_t half, const Word* twiddle) {
    const Factor s = F::broadcast_factor(twiddle);
    for (std::size_t i = 0; i < half; ++i) {
      const Value turned = F::lazy_mul(data[i + half], s), kept = data[i];
      data[i] = F::lazy_add(kept, turned);
      data[i + half] = F::template lazy_sub<2>(kept, turned);
    }
  }
  // The same with s = 1, for values below K r.
  template <int K>
  [[gnu::flatten]] static void turn_by_one(Value* data, std::size_t half) {
    for (std::size_t i = 0; i < half; ++i) {
      const Value other = data[i + half], kept = data[i];
      data[i] = F::lazy_add(kept, other);
      data[i + half] = F::template lazy_sub<K>(kept, other);
    }
  }
  // Block `block` of its layer, of 2 * half vectors, and all layers below it.
  static void split(Value* data, std::size_t half, std::size_t block, const Word* twiddles) {
    turn(data, half, twiddles + block * F::factor_words);
    descend(data, half, block, twiddles);
  }
  static void descend(Value* data, std::size_t half, std::size_t block, const Word* twiddles) {
    if (half == 1) return;
    split(data, half / 2, 2 * block, twiddles);
    split(data + half, half / 2, 2 * block + 1, twiddles);
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
