#include "qap.hpp"

#include <bit>
#include <cassert>

namespace pinion::groth16 {

using bls::Fr;

namespace {

// Rows per round: their Lagrange values stay in the cache while the three matrices use them.
constexpr std::uint64_t round_rows = std::uint64_t{1} << 17;
constexpr std::uint64_t lagrange_piece = std::uint64_t{1} << 12;

Fr domain_root(std::uint64_t size) {
  Fr root = Fr::root_of_unity();
  for (auto i = static_cast<unsigned>(std::countr_zero(size)); i < Fr::two_adicity; ++i) root = root.squared();
  return root;
}

// Adds the rows [begin, end) of one matrix into its column sums; of the columns, only every `stripes`-th block of 1024,
// so that several workers share a matrix without sharing a sum.
class ColumnSums {
 public:
  ColumnSums(const Shape& shape, Matrix matrix, std::span<Fr> sums) : shape_(shape), matrix_(matrix), sums_(sums) {
    const auto coefficients = shape.coefficients();
    const auto find = [&](const Fr& value) {
      std::uint32_t id = 0;
      while (id < coefficients.size() && coefficients[id] != value) ++id;
      return id;
    };
    one_ = find(Fr::one());
    minus_one_ = find(-Fr::one());
  }

  void add_rows(std::uint64_t begin, std::uint64_t end, std::span<const Fr> lagrange, std::uint32_t stripe,
                std::uint32_t stripes) const {
    const std::uint32_t inputs = shape_.num_inputs();
    shape_.for_each_row(matrix_, begin, end, [&](std::uint64_t row, const Shape::Row& terms) {
      const Fr& value = lagrange[row - begin];
      for (std::size_t t = 0; t < terms.columns.size(); ++t) {
        const std::uint32_t code = terms.columns[t];
        const std::size_t column = is_input(code) ? index_of(code) : std::size_t{inputs} + code;
        if (stripes == 1 || column / 1024 % stripes == stripe) add(sums_[column], terms.coefficients[t], value);
      }
    });
  }

 private:
  void add(Fr& sum, std::uint32_t coefficient, const Fr& value) const {
    if (coefficient == one_) {
      sum += value;
    } else if (coefficient == minus_one_) {
      sum -= value;
    } else {
      sum += shape_.coefficients()[coefficient] * value;
    }
  }

  const Shape& shape_;
  Matrix matrix_;
  std::span<Fr> sums_;
  std::uint32_t one_ = 0, minus_one_ = 0;
};

}  // namespace

std::uint64_t domain_size(const Shape& shape) {
  return std::bit_ceil(shape.num_rows());
}

void lagrange_at(const Fr& tau, std::uint64_t size, std::uint64_t begin, std::span<Fr> out) {
  const Fr root = domain_root(size);
  const Fr scale = (tau.pow(size) - Fr::one()) * Fr::from_u64(size).inverse();
  // out[i] = product of the denominators before i; then backwards with the inverse of them all.
  const Fr first = root.pow(begin);
  Fr power = first, product = Fr::one();
  for (Fr& value : out) {
    value = product;
    product *= tau - power;
    power *= root;
  }
  const Fr inverse_root = root.inverse();
  Fr inverse = product.inverse() * scale;
  for (std::size_t i = out.size(); i-- > 0;) {
    power *= inverse_root;
    out[i] *= inverse * power;
    inverse *= tau - power;
  }
}

QapAtPoint evaluate_qap(const Shape& shape, const Fr& tau, Executor& executor) {
  assert(shape.has(Matrix::c));
  const std::size_t variables = std::size_t{shape.num_inputs()} + shape.num_aux();
  QapAtPoint out;
  for (auto& values : out.values) values.resize(variables);
  const std::array sums{ColumnSums(shape, Matrix::a, out[Matrix::a]), ColumnSums(shape, Matrix::b, out[Matrix::b]),
                        ColumnSums(shape, Matrix::c, out[Matrix::c])};
  const std::uint32_t stripes = (executor.width() + 2) / 3;
  std::vector<Fr> lagrange(std::min(round_rows, shape.num_rows()));
  for (std::uint64_t begin = 0; begin < shape.num_rows(); begin += round_rows) {
    executor.check();
    const std::uint64_t count = std::min(round_rows, shape.num_rows() - begin);
    executor.for_range(count, lagrange_piece, [&](std::uint64_t from, std::uint64_t to) {
      lagrange_at(tau, domain_size(shape), begin + from, std::span(lagrange).subspan(from, to - from));
    });
    executor.for_each(std::uint64_t{3} * stripes, [&](std::uint64_t task) {
      sums[task % 3].add_rows(begin, begin + count, lagrange, static_cast<std::uint32_t>(task / 3), stripes);
    });
  }
  return out;
}

}  // namespace pinion::groth16
