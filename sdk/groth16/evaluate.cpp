#include "evaluate.hpp"

#include <fmt/format.h>

#include <atomic>
#include <type_traits>
#include <vector>

#include "lazy_sum.hpp"

namespace pinion::groth16 {

using bls::Fr;

Result<void> check_witness(const Shape& shape, const Witness& witness) {
  const auto mismatch = [](std::string what) { return Error{ErrorCode::mismatch, "witness: " + std::move(what)}; };
  if (witness.inputs.size() != shape.num_inputs())
    return mismatch(fmt::format("{} inputs, the shape has {}", witness.inputs.size(), shape.num_inputs()));
  if (!witness.inputs[0].is_one()) return mismatch("input 0 is not 1");
  if (!witness.is_packed(shape)) return {};
  if (witness.scalars.size() != shape.num_scalars())
    return mismatch(fmt::format("{} scalars; the shape has {} (packed) or {} (plain)", witness.scalars.size(),
                                shape.num_scalars(), shape.num_aux()));
  const auto& is_bit = shape.is_bit().words;
  if (witness.bits.size() != is_bit.size())
    return mismatch(fmt::format("{} words of bits, the shape has {}", witness.bits.size(), is_bit.size()));
  for (std::size_t w = 0; w < is_bit.size(); ++w)
    if ((witness.bits[w] & ~is_bit[w]) != 0)
      return mismatch(fmt::format("a bit is set among aux {} to {} where the shape has a scalar", 64 * w, 64 * w + 63));
  return {};
}

Fr aux_value(const Shape& shape, const Witness& witness, std::uint32_t i) {
  if (!witness.is_packed(shape)) return witness.scalars[i];
  if (shape.is_bit().test(i)) return witness.bits[i / 64] >> (i % 64) & 1 ? Fr::one() : Fr::zero();
  return witness.scalars[shape.is_bit().rank_zeros(i)];
}

namespace {

constexpr Fr one = Fr::one();
constexpr Fr minus_one = -Fr::one();

Fr product(const Fr& coefficient, const Fr& value) {
  if (coefficient == one) return value;
  if (coefficient == minus_one) return -value;
  return coefficient * value;
}

// Bits are added under a mask, not behind a branch: half of them are ones, in no order that a predictor could learn.
template <bool packed>
void evaluate_row(const Shape& shape, const Witness& witness, const Shape::Row& row, Fr& out) {
  const Fr* const dictionary = shape.coefficients().data();
  const std::uint64_t* const is_bit = shape.is_bit().words.data();
  LazySum sum;
  for (std::size_t t = 0; t < row.columns.size(); ++t) {
    const std::uint32_t code = row.columns[t];
    const Fr& coefficient = dictionary[row.coefficients[t]];
    if (code == input_flag) {
      sum.add(coefficient);  // ONE
    } else if (is_input(code)) {
      sum.add(product(coefficient, witness.inputs[index_of(code)]));
    } else if (!packed) {
      sum.add(product(coefficient, witness.scalars[code]));
    } else if ((is_bit[code / 64] >> (code % 64) & 1) != 0) {
      sum.add_if(coefficient, witness.bits[code / 64] >> (code % 64) & 1);
    } else {
      sum.add(product(coefficient, witness.scalars[shape.is_bit().rank_zeros(code)]));
    }
  }
  sum.store(out);
}

// Rows of one step of a parallel loop: enough to hide the loop's cost, few enough to balance.
constexpr std::uint64_t grain = 64 * shape_block_rows;

}  // namespace

void evaluate_rows(const Shape& shape, Matrix matrix, const Witness& witness, std::uint64_t begin, std::uint64_t end,
                   std::span<Fr> out) {
  const auto evaluate_all = [&](auto packed) {
    shape.for_each_row(matrix, begin, end, [&](std::uint64_t row, const Shape::Row& terms) {
      evaluate_row<packed>(shape, witness, terms, out[row - begin]);
    });
  };
  if (witness.is_packed(shape))
    evaluate_all(std::true_type{});
  else
    evaluate_all(std::false_type{});
}

void evaluate(const Shape& shape, Matrix matrix, const Witness& witness, std::span<Fr> out, Executor& executor) {
  const std::uint64_t rows = shape.num_rows();
  executor.for_each((rows + grain - 1) / grain, [&](std::uint64_t part) {
    executor.check();
    const std::uint64_t begin = part * grain;
    const std::uint64_t end = std::min(begin + grain, rows);
    evaluate_rows(shape, matrix, witness, begin, end, out.subspan(begin, end - begin));
  });
}

std::uint64_t first_unsatisfied_row(const Shape& shape, const Witness& witness, Executor& executor) {
  const std::uint64_t rows = shape.num_rows();
  std::atomic<std::uint64_t> first{rows};
  executor.for_each((rows + grain - 1) / grain, [&](std::uint64_t part) {
    executor.check();
    const std::uint64_t begin = part * grain;
    const std::uint64_t end = std::min(begin + grain, rows);
    if (first.load(std::memory_order_relaxed) < begin) return;
    std::array<std::vector<Fr>, 3> values;
    for (const Matrix m : matrices) {
      auto& out = values[static_cast<std::size_t>(m)];
      out.resize(end - begin);
      evaluate_rows(shape, m, witness, begin, end, out);
    }
    for (std::uint64_t i = 0; i < end - begin; ++i) {
      if (values[0][i] * values[1][i] == values[2][i]) continue;
      std::uint64_t seen = first.load();
      while (begin + i < seen && !first.compare_exchange_weak(seen, begin + i)) {
      }
      return;
    }
  });
  return first.load();
}

}  // namespace pinion::groth16
