// ShapeBuilder: collects variables and rows in circuit order and lays them out in the flat form. It keeps what it was
// given compressed, in chunks that are freed as they are written out, and rows that repeat once, so that building needs
// about the final size once.
// Not thread-safe. Knows no linear combinations: rows arrive merged and sorted (circuit::ShapeRecorder does that).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <pinion/bls12_381/fr.hpp>
#include <span>

#include "shape.hpp"

namespace pinion::groth16 {

struct Term {
  std::uint32_t variable;  // code
  bls::Fr coefficient;
};

class ShapeBuilder {
 public:
  // Input 0 (ONE) is there already.
  ShapeBuilder();
  ~ShapeBuilder();
  ShapeBuilder(ShapeBuilder&&) noexcept;
  ShapeBuilder& operator=(ShapeBuilder&&) noexcept;

  // New variables; each returns its code. Throws std::length_error at 2^31 of a sort.
  std::uint32_t add_input();
  std::uint32_t add_bit();
  std::uint32_t add_scalar();

  // <a, w> * <b, w> = <c, w>. Terms: inputs first, then aux, each strictly ascending, no zero coefficient, known
  // variables; else std::invalid_argument.
  void add_row(std::span<const Term> a, std::span<const Term> b, std::span<const Term> c);

  // A place between rows, for repeat().
  struct Mark {
    std::uint64_t rows, inputs, aux;
    std::array<std::uint64_t, 3> terms;
  };
  Mark mark() const;
  // Adds what was added since `start` another `count` times: the same rows over new variables. Variables older than
  // `start` stay what they are. The rows are held once, whatever the count, and unrolled by write(). std::logic_error
  // when they hold a repetition themselves. [worker]
  void repeat(const Mark& start, std::uint64_t count, Executor& executor);

  std::uint64_t rows() const;
  std::uint32_t inputs() const;
  std::uint32_t aux() const;

  // Appends the rows Input(i) * 0 = 0, after which nothing can be added, and says how large the flat form is:
  // ShapeLayout(counts).bytes.
  ShapeCounts finish();
  // Writes the flat form to `out` (exactly that many bytes, 8-byte aligned) and forgets everything; after finish().
  void write(std::span<std::uint8_t> out, Executor& executor);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// finish() and write() into memory of its own.
OwnedShape build(ShapeBuilder builder, Executor& executor);

}  // namespace pinion::groth16
