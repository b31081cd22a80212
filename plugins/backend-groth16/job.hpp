// A job's payload as provers read it, checked against the shape it belongs to.
#pragma once

#include <pinion/groth16.h>

#include <optional>
#include <pinion/groth16/witness.hpp>
#include <pinion/plugin.hpp>
#include <span>

namespace pinion::backend_groth16 {

struct Job {
  struct Evaluations {
    std::span<const bls::Fr> a, b;
  };
  groth16::Witness witness;
  std::optional<Evaluations> evaluations;  // nothing: the backend evaluates
  bls::Fr r, s;

  // Views of the payload. Throws UNSUPPORTED for another format, INVALID_INPUT when lengths, ONE or bits do not fit the
  // shape, or a blinding value is not reduced. [worker]
  static Job read(const pinion_job& job, const groth16::Shape& shape);
};

// Either of the two formats this backend takes. [any]
bool is_job_format(std::string_view format);

}  // namespace pinion::backend_groth16
