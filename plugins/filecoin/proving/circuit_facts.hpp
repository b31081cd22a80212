// What is known of a circuit without making it: how large witness, shape and keys are, so that a plan needs no shape,
// and the shape's digest, so that a shape that was made differently is found out. Each proof has a table of them, whose
// every number its tests compare with the circuit itself.
#pragma once

#include <cstdint>
#include <pinion/groth16/params.hpp>
#include <pinion/groth16/shape_format.hpp>
#include <string_view>

namespace pinion::filecoin {

struct CircuitFacts {
  groth16::ShapeCounts counts;
  std::uint32_t bits;             // aux that are bits
  std::uint32_t a_aux;            // aux that occur in A
  std::uint32_t b;                // variables that occur in B
  std::string_view shape_digest;  // content digest of the flat form, 64 hexadecimal digits

  std::uint32_t scalars() const { return counts.aux - bits; }
  std::uint64_t shape_bytes() const { return groth16::ShapeLayout(counts).bytes; }
  groth16::KeyCounts key_counts() const;
  std::uint64_t params_bytes() const { return groth16::ParamsLayout::of(key_counts()).bytes; }
};

}  // namespace pinion::filecoin
