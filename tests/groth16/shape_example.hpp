// Random constraint systems with their shapes and assignments, for the tests of shapes.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/groth16/shape_builder.hpp>
#include <pinion/groth16/witness.hpp>
#include <random>
#include <vector>

namespace pinion::groth16::test {

using bls::Fr;

struct PlainRow {
  std::array<std::vector<Term>, 3> terms;
};

// A random R1CS and its shape.
struct Example {
  std::vector<bool> is_bit;
  std::uint32_t inputs = 1;
  std::vector<PlainRow> rows;
};

inline Fr random_fr(std::mt19937_64& random) {
  return Fr::from_canonical({random(), random(), random(), random() >> 2});
}

inline std::vector<Term> random_terms(std::mt19937_64& random, const Example& example) {
  std::vector<Term> terms;
  const auto coefficient = [&] {
    switch (random() % 4) {
      case 0:
        return Fr::one();
      case 1:
        return -Fr::one();
      case 2:
        return Fr::from_u64(1 + random() % 8);
      default:
        return random() % 16 == 0 ? random_fr(random) : Fr::from_u64(3);
    }
  };
  const auto count = random() % 5;
  for (std::uint32_t i = 0; i < example.inputs; ++i)
    if (random() % 16 == 0) terms.push_back({input_flag | i, coefficient()});
  const std::uint32_t aux = static_cast<std::uint32_t>(example.is_bit.size());
  std::uint32_t next = 0;
  for (std::uint64_t t = 0; t < count && next < aux; ++t) {
    next += static_cast<std::uint32_t>(random() % (aux / 4 + 1));
    if (next < aux) terms.push_back({next++, coefficient()});
  }
  return terms;
}

inline Example random_example(std::uint64_t seed, std::size_t rows) {
  std::mt19937_64 random(seed);
  Example example;
  example.inputs = 1 + static_cast<std::uint32_t>(random() % 70);
  for (std::size_t i = 0; i < 40 + random() % 2000; ++i) example.is_bit.push_back(random() % 8 != 0);
  for (std::size_t i = 0; i < rows; ++i) {
    PlainRow row;
    for (auto& terms : row.terms) terms = random_terms(random, example);
    example.rows.push_back(row);
  }
  return example;
}

inline ShapeBuilder builder_of(const Example& example) {
  ShapeBuilder builder;
  for (std::uint32_t i = 1; i < example.inputs; ++i) builder.add_input();
  for (const bool bit : example.is_bit) bit ? builder.add_bit() : builder.add_scalar();
  for (const PlainRow& row : example.rows) builder.add_row(row.terms[0], row.terms[1], row.terms[2]);
  return builder;
}

// A random assignment in both forms.
struct Values {
  std::vector<Fr> inputs, plain, scalars;
  std::vector<std::uint64_t> bits;
  explicit Values(const Example& example, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    bits.resize((example.is_bit.size() + 63) / 64);
    for (std::uint32_t i = 0; i < example.inputs; ++i) inputs.push_back(i == 0 ? Fr::one() : random_fr(random));
    for (std::size_t i = 0; i < example.is_bit.size(); ++i) {
      if (example.is_bit[i]) {
        const std::uint64_t bit = random() % 2;
        plain.push_back(Fr::from_u64(bit));
        bits[i / 64] |= bit << (i % 64);
      } else {
        plain.push_back(random_fr(random));
        scalars.push_back(plain.back());
      }
    }
  }
  Fr of(std::uint32_t code) const { return is_input(code) ? inputs[index_of(code)] : plain[code]; }
  Witness packed_form() const { return {inputs, bits, scalars}; }
  Witness plain_form() const { return {inputs, {}, plain}; }
};

}  // namespace pinion::groth16::test
