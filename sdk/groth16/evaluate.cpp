#include "evaluate.hpp"

#include <fmt/format.h>

#include <atomic>
#include <vector>

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

void add_product(Fr& sum, const Fr& coefficient, const Fr& value) {
  if (coefficient == one)
    sum += value;
  else if (coefficient == minus_one)
    sum -= value;
  else
    sum += coefficient * value;
}

Fr evaluate_row(const Shape& shape, const Witness& witness, bool packed, const Shape::Row& row) {
  const Fr* const dictionary = shape.coefficients().data();
  Fr sum;
  for (std::size_t t = 0; t < row.columns.size(); ++t) {
    const std::uint32_t code = row.columns[t];
    const Fr& coefficient = dictionary[row.coefficients[t]];
    if (is_input(code)) {
      add_product(sum, witness.inputs[index_of(code)], coefficient);  // in this order: nearly always ONE
    } else if (!packed) {
      add_product(sum, coefficient, witness.scalars[code]);
    } else if (shape.is_bit().test(code)) {
      if (witness.bits[code / 64] >> (code % 64) & 1) sum += coefficient;
    } else {
      add_product(sum, coefficient, witness.scalars[shape.is_bit().rank_zeros(code)]);
    }
  }
  return sum;
}

// Rows of one step of a parallel loop: enough to hide the loop's cost, few enough to balance.
constexpr std::uint64_t grain = 64 * shape_block_rows;

}  // namespace

void evaluate_rows(const Shape& shape, Matrix matrix, const Witness& witness, std::uint64_t begin, std::uint64_t end,
                   std::span<Fr> out) {
  const bool packed = witness.is_packed(shape);
  shape.for_each_row(matrix, begin, end, [&](std::uint64_t row, const Shape::Row& terms) {
    out[row - begin] = evaluate_row(shape, witness, packed, terms);
  });
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
