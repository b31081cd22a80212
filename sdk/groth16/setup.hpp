// Setup: the proving and verifying key of a shape, written to files point by point; memory beyond the tables is
// 96 bytes per variable. Not a ceremony: it knows all secrets. Source: Groth 2016, §3.2; bellperson 0.27
// groth16/generator.rs, whose bytes it reproduces for the same secrets.
#pragma once

#include <cstdint>
#include <pinion/executor.hpp>
#include <string>

#include "params.hpp"
#include "result.hpp"
#include "shape.hpp"
#include "toxic_waste.hpp"

namespace pinion::groth16 {

struct SetupFiles {
  std::string params, vk;  // paths; neither may exist
};

// Writes both files, each complete or not at all, and returns the layout of the `.params`.
//   invalid_argument  a secret is 0, or tau is a root of unity of the domain
//   mismatch          an aux occurs in no row (named: the circuit is wrong), or a query point vanishes at these secrets
//   write             a file exists, the disk has no room for it (known before the work begins), …
// The shape has C. Reports points as progress; throws Cancelled. [worker]
Result<ParamsLayout> generate_keys(const Shape& shape, const ToxicWaste& waste, const SetupGenerators& generators,
                                   const SetupFiles& files, Executor& executor);

}  // namespace pinion::groth16
