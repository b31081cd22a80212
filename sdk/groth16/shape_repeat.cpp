#include "shape_builder_state.hpp"

namespace pinion::groth16 {

ShapeBuilder::Mark ShapeBuilder::mark() const {
  const ShapeCounts counts = state_->counts();
  return {counts.rows, counts.inputs, counts.aux, counts.terms};
}

namespace {

// Variables of the repeated part move by as many as it has; older ones stay.
struct Shift {
  std::uint32_t first_input, first_aux;  // of the part
  std::uint32_t inputs, aux;             // by how many

  std::uint32_t operator()(std::uint32_t code) const {
    if (is_input(code)) return index_of(code) >= first_input ? code + inputs : code;
    return code >= first_aux ? code + aux : code;
  }
};

}  // namespace

void ShapeBuilder::repeat(const Mark& start, std::uint64_t count, Executor& executor) {
  State& state = *state_;
  if (state.finished) throw std::logic_error("shape: repeat after finish");
  const Mark end = mark();
  const std::uint64_t inputs = end.inputs - start.inputs, aux = end.aux - start.aux;
  if (end.inputs + inputs * count > input_flag || end.aux + aux * count > input_flag)
    throw std::length_error("shape: 2^31 variables of one sort");
  for (std::uint64_t copy = 1; copy <= count; ++copy) {
    executor.check();
    executor.progress(copy, count + 1);
    state.repeat_variables(start, end, copy);
    const Shift shift{static_cast<std::uint32_t>(start.inputs), static_cast<std::uint32_t>(start.aux),
                      static_cast<std::uint32_t>(inputs * copy), static_cast<std::uint32_t>(aux * copy)};
    state.repeat_rows(start, end, shift);
  }
}

void ShapeBuilder::State::repeat_variables(const Mark& start, const Mark& end, std::uint64_t copy) {
  const std::uint64_t new_inputs = end.inputs - start.inputs, new_aux = end.aux - start.aux;
  inputs += static_cast<std::uint32_t>(new_inputs);
  aux += static_cast<std::uint32_t>(new_aux);
  b_input.resize(inputs);
  b_input.copy(start.inputs, start.inputs + copy * new_inputs, new_inputs);
  for (GrowingBits* bits : {&a_aux, &b_aux, &is_bit}) {
    bits->resize(aux);
    bits->copy(start.aux, start.aux + copy * new_aux, new_aux);
  }
}

template <class Shift>
void ShapeBuilder::State::repeat_rows(const Mark& start, const Mark& end, const Shift& shift) {
  auto at = start.terms;
  for (std::uint64_t row = start.rows; row < end.rows; ++row) {
    begin_row();
    const std::uint32_t pattern = row_patterns[row];
    for (std::size_t m = 0; m < 3; ++m)
      for (std::uint64_t stop = at[m] + patterns.length(pattern, m); at[m] < stop; ++at[m])
        columns[m].push_back(shift(columns[m][at[m]]));
    row_patterns.push_back(pattern);
  }
}

}  // namespace pinion::groth16
