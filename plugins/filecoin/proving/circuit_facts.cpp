#include "circuit_facts.hpp"

#include <bit>

namespace pinion::filecoin {

groth16::KeyCounts CircuitFacts::key_counts() const {
  return {.ic = counts.inputs,
          .h = static_cast<std::uint32_t>(std::bit_ceil(counts.rows) - 1),
          .l = counts.aux,
          .a = counts.inputs + a_aux,
          .b = b};
}

}  // namespace pinion::filecoin
