#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/bls12_381/simd/kernels.hpp>
#include <random>
#include <vector>

namespace {

using namespace pinion::bls;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

std::size_t reversed(std::size_t i, unsigned bits) {
  std::size_t out = 0;
  for (unsigned k = 0; k < bits; ++k) out |= (i >> k & 1) << (bits - 1 - k);
  return out;
}
Fr root(unsigned log) {
  Fr w = Fr::root_of_unity();
  for (unsigned i = log; i < Fr::two_adicity; ++i) w = w.squared();
  return w;
}
const std::uint64_t* words(const Fr* x) {
  return x->limb.data();
}
std::uint64_t* words(Fr* x) {
  return x->limb.data();
}

std::vector<Fr> values(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> out(count);
  for (auto& x : out)
    for (auto& limb : x.limb) limb = random() >> 2;
  for (std::size_t i = 0; i < count; i += 7) out[i] = i % 2 == 0 ? Fr::zero() : -Fr::one();
  return out;
}

class Tile {
 public:
  Tile(const simd::TransformKernels& kernels, unsigned log)
      : kernels_(kernels), log_(log), memory_(std::aligned_alloc(64, (std::size_t{8} << log) * 64)) {}
  void* get() const { return memory_.get(); }
  std::size_t rows() const { return std::size_t{1} << log_; }
  std::vector<std::uint64_t> table(const std::vector<Fr>& entries) const {
    std::vector<std::uint64_t> out(entries.size() * kernels_.factor_words);
    kernels_.write_factors(words(entries.data()), entries.size(), out.data());
    return out;
  }
  void transform() const {
    std::vector<Fr> twiddles(std::max<std::size_t>(rows() / 2, 1), Fr::one());
    for (std::size_t i = 0; i < rows() / 2; ++i) twiddles[i] = root(log_).pow(reversed(i, log_ - 1));
    kernels_.transform(memory_.get(), log_, table(twiddles).data());
  }

 private:
  const simd::TransformKernels& kernels_;
  unsigned log_;
  Memory memory_;
};

// Every value once more by the definition: X[k] = sum x[t] w^(kt), at a sample of k.
void check_transform(const simd::TransformKernels& kernels, unsigned log) {
  const std::size_t n = std::size_t{1} << log, stride = 11;
  const std::vector<Fr> in = values(n * stride, log);
  std::vector<Fr> out(n * stride);
  const Tile tile(kernels, log);
  kernels.load_columns(tile.get(), n, words(in.data()), stride);
  tile.transform();
  kernels.store_columns(tile.get(), log, words(out.data()), stride);
  for (std::size_t k = 0; k < n; k = k < 4 ? k + 1 : k * 2 + 3)
    for (const std::size_t lane : {std::size_t{0}, std::size_t{7}}) {
      const Fr step = root(log).pow(k);
      Fr expected = Fr::zero(), power = Fr::one();
      for (std::size_t t = 0; t < n; ++t, power *= step) expected += in[t * stride + lane] * power;
      CAPTURE(log, k, lane);
      REQUIRE(out[k * stride + lane] == expected);
    }
}

// Largest values everywhere: what grows most before it is reduced.
void check_extremes(const simd::TransformKernels& kernels, unsigned log) {
  const std::size_t n = std::size_t{1} << log;
  Fr largest = Fr::zero();
  Fr tiny{{1, 0, 0, 0}};
  largest = largest - tiny;  // representation r - 1
  std::vector<Fr> in(8 * n, largest), out(8 * n);
  const Tile tile(kernels, log);
  kernels.load_columns(tile.get(), n, words(in.data()), 8);
  tile.transform();
  kernels.bit_reverse(tile.get(), log);
  kernels.multiply_table(tile.get(), n, tile.table(std::vector<Fr>(n, largest)).data());
  tile.transform();
  kernels.store_columns(tile.get(), log, words(out.data()), 8);
  // A constant transforms to n times itself at 0; scaled, and transformed again, that is everywhere.
  const Fr expected = largest * Fr::from_u64(n) * largest;
  for (const Fr& x : out) REQUIRE(x == expected);
}

void check_stores(const simd::TransformKernels& kernels) {
  constexpr unsigned log = 4;
  constexpr std::size_t n = 16, stride = 19;
  const std::vector<Fr> a = values(n * stride, 1), b = values(n * stride, 2), start = values(8, 3),
                        ratio = values(8, 4);
  const std::vector<Fr> scale{Fr::from_u64(12345)};
  std::vector<Fr> out(8 * stride + n * stride);
  const Tile tile(kernels, log), other(kernels, log);
  const auto load_reversed = [&](const Tile& into, const std::vector<Fr>& from) {
    kernels.load_columns(into.get(), n, words(from.data()), stride);
    kernels.bit_reverse(into.get(), log);
  };
  load_reversed(tile, a);
  kernels.store_columns_scaled(tile.get(), log, words(out.data()), stride, words(start.data()), words(ratio.data()));
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t k = 0; k < 8; ++k) REQUIRE(out[t * stride + k] == a[t * stride + k] * start[k] * ratio[k].pow(t));
  kernels.store_rows_scaled(tile.get(), log, words(out.data()), stride, words(start.data()), words(ratio.data()));
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t k = 0; k < 8; ++k) REQUIRE(out[k * stride + t] == a[t * stride + k] * start[k] * ratio[k].pow(t));
  load_reversed(other, b);
  kernels.store_difference(tile.get(), other.get(), log, words(out.data()), stride, words(start.data()),
                           words(ratio.data()), tile.table(scale).data());
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t k = 0; k < 8; ++k)
      REQUIRE(out[t * stride + k] == a[t * stride + k] * start[k] * ratio[k].pow(t) - b[t * stride + k] * scale[0]);
  kernels.load_columns(tile.get(), n, words(a.data()), stride);
  kernels.multiply_columns(tile.get(), n, words(b.data()), stride);
  kernels.bit_reverse(tile.get(), log);
  kernels.load_rows(other.get(), n, words(b.data()), stride);
  kernels.bit_reverse(other.get(), log);
  kernels.multiply_tile(tile.get(), n, other.get());
  kernels.store_columns(tile.get(), log, words(out.data()), stride);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t k = 0; k < 8; ++k)
      REQUIRE(out[t * stride + k] == a[t * stride + k] * b[t * stride + k] * b[k * stride + t]);
}

void check_kernels(const simd::TransformKernels& kernels) {
  for (unsigned log : {0U, 1U, 2U, 3U, 4U, 5U, 8U}) check_transform(kernels, log);
  for (unsigned log : {1U, 2U, 6U, simd::max_tile_log}) check_extremes(kernels, log);
  check_stores(kernels);
}

}  // namespace

TEST_CASE("portable transforms follow the definition") {
  check_kernels(simd::portable_kernels().fr);
}

TEST_CASE("IFMA transforms follow the definition") {
  if (simd::ifma_kernels() == nullptr) {
    WARN("skipped: no AVX-512 IFMA");
    return;
  }
  check_kernels(simd::ifma_kernels()->fr);
}
