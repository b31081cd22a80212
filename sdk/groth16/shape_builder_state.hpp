// What a ShapeBuilder holds. Internal to sdk/groth16.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

#include "shape_builder.hpp"
#include "shape_interner.hpp"

namespace pinion::groth16 {

// Rows that stand there `count` times more, right behind the first time. Only write() unrolls them.
struct Repetition {
  ShapeBuilder::Mark start, end;
  std::uint64_t count;
};

struct ShapeBuilder::State {
  std::uint32_t inputs = 0, aux = 0;
  bool finished = false;
  CoefficientTable coefficients;
  PatternTable patterns;
  GrowingBits a_aux, b_input, b_aux, is_bit;
  ChunkedArray<std::uint32_t> row_patterns;
  std::array<ChunkedArray<std::uint32_t>, 3> columns;
  std::vector<Repetition> repetitions;  // in order, apart from each other
  std::vector<std::uint32_t> row_ids;   // of the row being added

  static std::uint32_t next(std::uint32_t& count) {
    if (count == input_flag) throw std::length_error("shape: 2^31 variables of one sort");
    return count++;
  }

  void add_terms(Matrix m, std::span<const Term> terms) {
    auto& out = columns[static_cast<std::size_t>(m)];
    std::int64_t before = -1;
    for (const Term& term : terms) {
      const bool input = is_input(term.variable);
      const std::uint32_t index = index_of(term.variable);
      const std::int64_t place = index + (input ? 0 : std::int64_t{input_flag});
      if (place <= before || index >= (input ? inputs : aux) || term.coefficient.is_zero())
        throw std::invalid_argument(fmt::format("shape: row {}, matrix {}: {} {} is unknown, out of order or zero",
                                                row_patterns.size(), "ABC"[static_cast<std::size_t>(m)],
                                                input ? "input" : "aux", index));
      before = place;
      out.push_back(term.variable);
      row_ids.push_back(coefficients.id(term.coefficient));
      if (m == Matrix::a && !input) a_aux.set(index);
      if (m == Matrix::b) (input ? b_input : b_aux).set(index);
    }
  }

  // Of what is held: all variables, but repeated rows once.
  Mark mark() const {
    return {row_patterns.size(), inputs, aux, {columns[0].size(), columns[1].size(), columns[2].size()}};
  }
  // Of repeat(): the variables of copy number `copy`.
  void repeat_variables(const Mark& start, const Mark& end, std::uint64_t copy);
  // Of write(): patterns of all rows, and all columns of a matrix, each repetition in its place (shape_repeat.cpp).
  void unroll_patterns(std::span<std::uint32_t> out, Executor& executor);
  void unroll_columns(std::size_t m, std::span<std::uint32_t> out, Executor& executor);

  ShapeCounts counts() const {
    ShapeCounts out{inputs,
                    aux,
                    row_patterns.size(),
                    {columns[0].size(), columns[1].size(), columns[2].size()},
                    static_cast<std::uint32_t>(coefficients.values().size()),
                    static_cast<std::uint32_t>((patterns.begin().size() - 1) / 3),
                    patterns.coefficients().size()};
    for (const Repetition& r : repetitions) {
      out.rows += r.count * (r.end.rows - r.start.rows);
      for (std::size_t m = 0; m < 3; ++m) out.terms[m] += r.count * (r.end.terms[m] - r.start.terms[m]);
    }
    return out;
  }
};

}  // namespace pinion::groth16
