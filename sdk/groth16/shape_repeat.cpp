#include "shape_builder_state.hpp"

namespace pinion::groth16 {

ShapeBuilder::Mark ShapeBuilder::mark() const {
  return state_->mark();
}

void ShapeBuilder::repeat(const Mark& start, std::uint64_t count, Executor& executor) {
  State& state = *state_;
  if (state.finished) throw std::logic_error("shape: repeat after finish");
  if (!state.repetitions.empty() && start.rows < state.repetitions.back().end.rows)
    throw std::logic_error("shape: repeat of rows that hold a repetition");
  const Mark end = mark();
  const std::uint64_t inputs = end.inputs - start.inputs, aux = end.aux - start.aux;
  if (end.inputs + inputs * count > input_flag || end.aux + aux * count > input_flag)
    throw std::length_error("shape: 2^31 variables of one sort");
  for (std::uint64_t copy = 1; copy <= count; ++copy) {
    executor.check();
    executor.progress(copy, count + 1);
    state.repeat_variables(start, end, copy);
  }
  state.repetitions.push_back({start, end, count});
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

namespace {

// Writes an array that grows with the rows: what is held, each repetition right behind its first time. place(mark) is
// where in the array a mark stands; moved(value, repetition, copy) what a value is in a copy, counted from 1.
template <class Place, class Moved>
void unroll(ChunkedArray<std::uint32_t>& held, const std::vector<Repetition>& repetitions, std::span<std::uint32_t> out,
            Executor& executor, Place&& place, Moved&& moved) {
  if (repetitions.empty()) return held.drain(out);  // frees it on the way
  std::uint64_t from = 0, to = 0;
  const auto copy_held = [&](std::uint64_t end) {
    for (; from < end; ++from, ++to) out[to] = held[from];
  };
  for (const Repetition& r : repetitions) {
    copy_held(place(r.end));
    const std::uint64_t start = place(r.start), length = from - start;
    executor.for_each(r.count, [&](std::uint64_t i) {
      executor.check();
      for (std::uint64_t k = 0; k < length; ++k) out[to + i * length + k] = moved(held[start + k], r, i + 1);
    });
    to += r.count * length;
  }
  copy_held(held.size());
}

}  // namespace

void ShapeBuilder::State::unroll_patterns(std::span<std::uint32_t> out, Executor& executor) {
  unroll(
      row_patterns, repetitions, out, executor, [](const ShapeBuilder::Mark& mark) { return mark.rows; },
      [](std::uint32_t pattern, const Repetition&, std::uint64_t) { return pattern; });
}

void ShapeBuilder::State::unroll_columns(std::size_t m, std::span<std::uint32_t> out, Executor& executor) {
  // Variables of the repeated part move by as many as it has; older ones stay.
  const auto moved = [](std::uint32_t code, const Repetition& r, std::uint64_t copy) {
    const bool input = is_input(code);
    const std::uint64_t first = input ? r.start.inputs : r.start.aux;
    const std::uint64_t variables = (input ? r.end.inputs : r.end.aux) - first;
    return index_of(code) < first ? code : static_cast<std::uint32_t>(code + copy * variables);
  };
  unroll(
      columns[m], repetitions, out, executor, [m](const ShapeBuilder::Mark& mark) { return mark.terms[m]; }, moved);
}

}  // namespace pinion::groth16
