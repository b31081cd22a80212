#include "domain.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <pinion/bls12_381/simd/aligned_buffer.hpp>
#include <pinion/bls12_381/simd/crew.hpp>
#include <stdexcept>

#include "small_transform.hpp"

namespace pinion::groth16 {
namespace {

using bls::Fr;
using bls::simd::AlignedBuffer;

constexpr std::uint64_t lanes = 8;
using Lanes = std::array<Fr, lanes>;

const std::uint64_t* words(const Fr* values) {
  return values->limb.data();
}
std::uint64_t* words(Fr* values) {
  return values->limb.data();
}
Lanes all(const Fr& value) {
  Lanes out;
  out.fill(value);
  return out;
}
// first * ratio^(begin + lane)
Lanes powers(const Fr& first, const Fr& ratio, std::uint64_t begin) {
  Lanes out;
  out[0] = first * ratio.pow(begin);
  for (std::size_t lane = 1; lane < lanes; ++lane) out[lane] = out[lane - 1] * ratio;
  return out;
}

}  // namespace

// One pass over the matrix, eight columns or rows a step, on tiles that each worker keeps.
struct Domain::Pass {
  const Domain& domain;
  Executor& executor;
  std::uint64_t tile_bytes =
      bls::simd::AlignedBuffer<std::uint8_t>::bytes_for(domain.columns_.length() * domain.kernels_.vector_bytes);

  template <class F>
  void run(std::uint64_t groups, unsigned tiles, F&& f) const {
    std::vector<AlignedBuffer<std::uint8_t>> memory(executor.width());
    bls::simd::share(executor, groups, [&](std::uint64_t worker, std::uint64_t group) {
      if (memory[worker].size() == 0) memory[worker] = AlignedBuffer<std::uint8_t>(tiles * tile_bytes);
      f(group * lanes, memory[worker].data(), memory[worker].data() + (tiles - 1) * tile_bytes);
    });
  }
  // f(first of eight columns, tile, last tile)
  template <class F>
  void columns(unsigned tiles, F&& f) const {
    run(domain.rows_.length() / lanes, tiles, f);
  }
  template <class F>
  void rows(unsigned tiles, F&& f) const {
    run(domain.columns_.length() / lanes, tiles, f);
  }
};

// Values on the domain of which the last, all zero, are not in memory: rows of the matrix that are whole, the row in
// which they end, and rows of zeros.
class Domain::Values {
 public:
  Values(const Domain& domain, std::span<const Fr> values)
      : domain_(domain), values_(values), whole_(values.size() / domain.rows_.length()) {
    const std::span<const Fr> rest = values.subspan(whole_ * domain.rows_.length());
    if (rest.empty()) return;
    last_.assign(rest.begin(), rest.end());
    last_.resize(domain.rows_.length(), Fr::zero());
  }

  void load(void* tile, std::uint64_t column) const {
    each(domain_.kernels_.load_columns, tile, column);
    const std::uint64_t rows = whole_ + (last_.empty() ? 0 : 1);
    std::memset(row(tile, rows), 0, (domain_.columns_.length() - rows) * domain_.kernels_.vector_bytes);
  }
  // A tile that others as many as these were loaded into.
  void multiply(void* tile, std::uint64_t column) const { each(domain_.kernels_.multiply_columns, tile, column); }

 private:
  void* row(void* tile, std::uint64_t i) const {
    return static_cast<std::uint8_t*>(tile) + i * domain_.kernels_.vector_bytes;
  }
  template <class F>
  void each(F&& columns, void* tile, std::uint64_t column) const {
    if (whole_ != 0) columns(tile, whole_, words(&values_[column]), domain_.rows_.length());
    if (!last_.empty()) columns(row(tile, whole_), 1, words(&last_[column]), domain_.rows_.length());
  }

  const Domain& domain_;
  std::span<const Fr> values_;
  std::uint64_t whole_;
  std::vector<Fr> last_;
};

unsigned Domain::log_for(std::uint64_t rows) {
  return static_cast<unsigned>(std::bit_width(rows - 1));
}

Domain::Domain(unsigned log, const bls::simd::Kernels& kernels) : log_(log), kernels_(kernels.fr) {
  if (log > max_log) throw std::invalid_argument("a domain of 2^" + std::to_string(log) + ": 2^28 is the largest");
  root_ = Fr::root_of_unity();
  for (unsigned i = log; i < Fr::two_adicity; ++i) root_ = root_.squared();
  root_inverse_ = root_.inverse();
  size_inverse_ = Fr::from_u64(size()).inverse();
  if (is_small()) return;
  columns_ = side((log + 1) / 2);
  rows_ = side(log / 2);
  coset_table_ = powers_table(size_inverse_, Fr::generator().pow(columns_.length()), rows_.length());
}

Domain::Words Domain::table(std::span<const Fr> entries) const {
  Words out(entries.size() * kernels_.factor_words);
  kernels_.write_factors(words(entries.data()), entries.size(), out.data());
  return out;
}

Domain::Words Domain::powers_table(const Fr& first, const Fr& ratio, std::uint64_t count) const {
  std::vector<Fr> entries(count, first);
  for (std::uint64_t i = 1; i < count; ++i) entries[i] = entries[i - 1] * ratio;
  return table(entries);
}

Domain::Side Domain::side(unsigned log) const {
  const auto twiddles = [&](const Fr& root) {
    std::vector<Fr> entries(std::uint64_t{1} << (log - 1), Fr::one());
    for (std::uint64_t i = 1; i < entries.size(); ++i) {
      // w^rev(i): the highest bit of i is the lowest power that rev(i) adds to that of the rest
      const unsigned top = static_cast<unsigned>(std::bit_width(i)) - 1;
      const std::uint64_t power = std::uint64_t{1} << (log - 2 - top);
      entries[i] = entries[i - (std::uint64_t{1} << top)] * root.pow(power << (log_ - log));
    }
    return table(entries);
  };
  return {log, twiddles(root_), twiddles(root_inverse_)};
}

void Domain::transform(std::span<Fr> values, std::span<Fr> scratch, bool inverse, Executor& executor) const {
  const std::uint64_t height = columns_.length(), width = rows_.length();
  const Fr& root = inverse ? root_inverse_ : root_;
  const Pass pass{*this, executor};
  const Lanes one = all(Fr::one()), scale = all(inverse ? size_inverse_ : Fr::one());
  pass.columns(1, [&](std::uint64_t column, void* tile, void*) {
    kernels_.load_columns(tile, height, words(&values[column]), width);
    kernels_.transform(tile, columns_.log, (inverse ? columns_.inverse : columns_.forward).data());
    const Lanes twist = powers(Fr::one(), root, column);
    kernels_.store_columns_scaled(tile, columns_.log, words(&scratch[column]), width, words(one.data()),
                                  words(twist.data()));
  });
  pass.rows(1, [&](std::uint64_t row, void* tile, void*) {
    kernels_.load_rows(tile, width, words(&scratch[row * width]), width);
    kernels_.transform(tile, rows_.log, (inverse ? rows_.inverse : rows_.forward).data());
    kernels_.store_columns_scaled(tile, rows_.log, words(&values[row]), height, words(scale.data()), words(one.data()));
  });
}

void Domain::ntt(std::span<Fr> values, std::span<Fr> scratch, Executor& executor) const {
  if (is_small()) return small_transform(values, root_);
  transform(values, scratch, false, executor);
}

void Domain::intt(std::span<Fr> values, std::span<Fr> scratch, Executor& executor) const {
  if (!is_small()) return transform(values, scratch, true, executor);
  small_transform(values, root_inverse_);
  for (Fr& value : values) value *= size_inverse_;
}

void Domain::coset_ntt(std::span<Fr> values, std::span<Fr> scratch, Executor& executor) const {
  multiply_by_powers(values, Fr::generator(), executor);
  ntt(values, scratch, executor);
}

void Domain::coset_intt(std::span<Fr> values, std::span<Fr> scratch, Executor& executor) const {
  intt(values, scratch, executor);
  multiply_by_powers(values, Fr::generator().inverse(), executor);
}

// First halves of the inverse transforms of a, b and c = a b: columns, twisted.
void Domain::begin_quotient(std::span<const Fr> a_values, std::span<const Fr> b_values, std::span<Fr> a,
                            std::span<Fr> b, std::span<Fr> c, Executor& executor) const {
  if (is_small()) {
    small_copy(a_values, a);
    small_copy(b_values, b);
    return;
  }
  const Step step(executor, "NTT");
  const std::uint64_t width = rows_.length();
  const Lanes one = all(Fr::one());
  const Values from_a(*this, a_values), from_b(*this, b_values);
  Pass{*this, executor}.columns(1, [&](std::uint64_t column, void* tile, void*) {
    const Lanes twist = powers(Fr::one(), root_inverse_, column);
    const auto finish = [&](std::span<Fr> out) {
      kernels_.transform(tile, columns_.log, columns_.inverse.data());
      kernels_.store_columns_scaled(tile, columns_.log, words(&out[column]), width, words(one.data()),
                                    words(twist.data()));
    };
    from_a.load(tile, column);
    from_b.multiply(tile, column);
    finish(c);
    from_a.load(tile, column);
    finish(a);
    from_b.load(tile, column);
    finish(b);
  });
}

void Domain::end_quotient(std::span<Fr> a, std::span<Fr> b, std::span<Fr> c, Executor& executor) const {
  if (is_small()) return small_quotient(*this, a, b, c, executor);
  {
    const Step step(executor, "NTT");
    to_coset_rows(a, executor);
    to_coset_rows(b, executor);
  }
  const Step step(executor, "coset INTT");  // with the last halves of a's and b's transforms, which share its pass
  multiply_on_coset(a, b, executor);
  subtract(a, b, c, executor);
}

// Second half of the inverse transform, after which row j, place k holds coefficient j + height * k; times 7 to that
// power, over size; and the first half of the transform back.
void Domain::to_coset_rows(std::span<Fr> values, Executor& executor) const {
  const std::uint64_t width = rows_.length();
  Pass{*this, executor}.rows(1, [&](std::uint64_t row, void* tile, void*) {
    kernels_.load_rows(tile, width, words(&values[row * width]), width);
    kernels_.transform(tile, rows_.log, rows_.inverse.data());
    kernels_.bit_reverse(tile, rows_.log);
    kernels_.multiply_table(tile, width, coset_table_.data());
    kernels_.transform(tile, rows_.log, rows_.forward.data());
    const Lanes shift = powers(Fr::one(), Fr::generator(), row), twist = powers(Fr::one(), root_, row);
    kernels_.store_rows_scaled(tile, rows_.log, words(&values[row * width]), width, words(shift.data()),
                               words(twist.data()));
  });
}

// Last halves of a's and b's transforms, their product, and the first half of its inverse transform, into b.
void Domain::multiply_on_coset(std::span<Fr> a, std::span<Fr> b, Executor& executor) const {
  const std::uint64_t height = columns_.length(), width = rows_.length();
  const Lanes one = all(Fr::one());
  Pass{*this, executor}.columns(2, [&](std::uint64_t column, void* tile, void* other) {
    kernels_.load_columns(tile, height, words(&a[column]), width);
    kernels_.transform(tile, columns_.log, columns_.forward.data());
    kernels_.load_columns(other, height, words(&b[column]), width);
    kernels_.transform(other, columns_.log, columns_.forward.data());
    kernels_.multiply_tile(tile, height, other);
    kernels_.bit_reverse(tile, columns_.log);
    kernels_.transform(tile, columns_.log, columns_.inverse.data());
    const Lanes twist = powers(Fr::one(), root_inverse_, column);
    kernels_.store_columns_scaled(tile, columns_.log, words(&b[column]), width, words(one.data()), words(twist.data()));
  });
}

// Last halves of the inverse transforms of the product and of c, and their difference over 7^size - 1.
void Domain::subtract(std::span<Fr> out, std::span<const Fr> product, std::span<const Fr> c, Executor& executor) const {
  const std::uint64_t height = columns_.length(), width = rows_.length();
  const Fr scale = size_inverse_ * (Fr::generator().pow(size()) - Fr::one()).inverse();
  const Fr shift = Fr::generator().inverse();
  const Words scale_entry = table({&scale, 1});
  const Lanes ratio = all(shift.pow(height));
  Pass{*this, executor}.rows(2, [&](std::uint64_t row, void* tile, void* other) {
    kernels_.load_rows(tile, width, words(&product[row * width]), width);
    kernels_.transform(tile, rows_.log, rows_.inverse.data());
    kernels_.load_rows(other, width, words(&c[row * width]), width);
    kernels_.transform(other, rows_.log, rows_.inverse.data());
    const Lanes start = powers(scale, shift, row);
    kernels_.store_difference(tile, other, rows_.log, words(&out[row]), height, words(start.data()),
                              words(ratio.data()), scale_entry.data());
  });
}

std::uint64_t Domain::working_bytes(unsigned width) const {
  return is_small() ? 0 : std::uint64_t{2} * width * (columns_.length() * kernels_.vector_bytes + 64);
}

}  // namespace pinion::groth16
