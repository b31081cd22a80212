// WitnessWriter: the constraint system that keeps values and ignores rows. It writes a packed witness (see
// groth16/witness.hpp) straight into buffers of the shape's sizes: bits into a bitmap, scalars densely, inputs apart.
// Parts of a circuit whose place is known from the shape can be written by several writers at once, each from its own
// Position.
#pragma once

#include <cstdint>
#include <pinion/groth16/shape.hpp>
#include <span>
#include <string_view>

#include "constraint_system.hpp"

namespace pinion::circuit {

class WitnessWriter {
 public:
  static constexpr bool keeps_rows = false;
  static constexpr bool keeps_values = true;

  struct Buffers {
    std::span<Fr> inputs;           // num_inputs
    std::span<std::uint64_t> bits;  // ceil(num_aux / 64), zeroed by their owner
    std::span<Fr> scalars;          // num_scalars
  };
  // Counts of what stands before.
  struct Position {
    std::uint64_t inputs = 0, aux = 0, scalars = 0;
    friend bool operator==(const Position&, const Position&) = default;
  };

  // From the beginning: writes ONE as input 0.
  explicit WitnessWriter(const Buffers& buffers);
  // From a position in the middle of a circuit.
  WitnessWriter(const Buffers& buffers, const Position& start);
  ~WitnessWriter() { flush(); }
  WitnessWriter(const WitnessWriter&) = delete;
  WitnessWriter& operator=(const WitnessWriter&) = delete;

  Variable alloc_bit(bool value) {
    append_bits(value, 1);
    return {};
  }
  Variable alloc_scalar(const Fr& value) {
    append_bits(0, 1);
    if (scalars_ == buffers_.scalars.size()) overflow("scalars");
    buffers_.scalars[scalars_++] = value;
    return {};
  }
  Variable alloc_input(const Fr& value) {
    if (inputs_ == buffers_.inputs.size()) overflow("inputs");
    buffers_.inputs[inputs_++] = value;
    return {};
  }
  // `count` (at most 64) bit variables at once, the first in the lowest bit; higher bits of `bits` are zero.
  void append_bits(std::uint64_t bits, unsigned count) {
    word_ |= bits << used_;
    if (used_ + count < 64) {
      used_ += count;
      return;
    }
    store();
    const unsigned taken = 64 - used_;
    word_ = taken == 64 ? 0 : bits >> taken;
    used_ += count - 64;
  }
  // Those bits of `bits` that `mask` selects, lowest first.
  void append_selected(std::uint32_t bits, std::uint32_t mask);

  template <class A, class B, class C>
  void enforce(A&&, B&&, C&&) {}
  void enter(std::string_view, std::int64_t) {}
  void leave() {}

  Position position() const { return {inputs_, words_ * 64 + used_, scalars_}; }
  // Writes what is left of the last word. More may follow.
  void flush();

 private:
  void store();
  [[noreturn]] static void overflow(const char* what);

  Buffers buffers_;
  std::uint64_t word_ = 0;   // bits not stored yet; below used_
  unsigned used_ = 0;        // of word_, below 64
  std::uint64_t words_ = 0;  // index of word_
  bool shared_word_ = true;  // another writer may hold bits of word_
  std::uint64_t inputs_ = 0, scalars_ = 0;
};
static_assert(ConstraintSystem<WitnessWriter>);

}  // namespace pinion::circuit
