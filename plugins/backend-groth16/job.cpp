#include "job.hpp"

#include <fmt/format.h>

namespace pinion::backend_groth16 {
namespace {

static_assert(sizeof(pinion_fr) == sizeof(bls::Fr));

std::span<const bls::Fr> scalars(const pinion_fr* first, std::uint64_t count, const char* what) {
  if (first == nullptr && count != 0)
    throw Error(PINION_INVALID_INPUT, fmt::format("job: {} {} announced and none given", count, what));
  return {reinterpret_cast<const bls::Fr*>(first), static_cast<std::size_t>(count)};
}

bls::Fr blinding(const pinion_fr& value, const char* name) {
  const bls::Fr out{{value.limb[0], value.limb[1], value.limb[2], value.limb[3]}};
  if (!bls::Fr::is_below_modulus(out.limb))
    throw Error(PINION_INVALID_INPUT, fmt::format("job: blinding value {} is not reduced", name));
  return out;
}

groth16::Witness view(const pinion_groth16_witness& from, const groth16::Shape& shape) {
  if (from.num_aux != shape.num_aux())
    throw Error(PINION_INVALID_INPUT, fmt::format("job: {} aux, the shape has {}", from.num_aux, shape.num_aux()));
  groth16::Witness out{
      scalars(from.inputs, from.num_inputs, "inputs"), {}, scalars(from.scalars, from.num_scalars, "scalars")};
  switch (from.form) {
    case PINION_WITNESS_PLAIN:
      if (from.num_scalars != from.num_aux)
        throw Error(PINION_INVALID_INPUT,
                    fmt::format("job: a plain witness of {} scalars for {} aux", from.num_scalars, from.num_aux));
      break;
    case PINION_WITNESS_PACKED:
      if (from.bits == nullptr && from.num_aux != 0)
        throw Error(PINION_INVALID_INPUT, "job: a packed witness without bits");
      out.bits = {from.bits, static_cast<std::size_t>((from.num_aux + 63) / 64)};
      break;
    default:
      throw Error(PINION_INVALID_INPUT, fmt::format("job: unknown form of witness {}", from.form));
  }
  if (const auto checked = groth16::check_witness(shape, out); !checked)
    throw Error(PINION_INVALID_INPUT, "job: " + checked.error().message);
  return out;
}

template <class Payload>
const Payload& payload(const pinion_job& job) {
  const auto* out = static_cast<const Payload*>(job.payload);
  if (out == nullptr || out->size < sizeof(Payload))
    throw Error(PINION_INVALID_INPUT,
                fmt::format("job: no payload of format {}, or an older, shorter one", job.format));
  return *out;
}

}  // namespace

bool is_job_format(std::string_view format) {
  return format == PINION_JOB_GROTH16_WITNESS || format == PINION_JOB_GROTH16_EVALUATIONS;
}

Job Job::read(const pinion_job& job, const groth16::Shape& shape) {
  const std::string_view format = job.format;
  if (!is_job_format(format)) throw Error(PINION_UNSUPPORTED, fmt::format("job: format {} is not offered", format));
  const auto* evaluations =
      format == PINION_JOB_GROTH16_EVALUATIONS ? &payload<pinion_groth16_evaluations>(job) : nullptr;
  const pinion_groth16_witness& witness =
      evaluations != nullptr ? evaluations->witness : payload<pinion_groth16_witness>(job);
  Job out{view(witness, shape), std::nullopt, blinding(witness.r, "r"), blinding(witness.s, "s")};
  if (evaluations == nullptr) return out;
  if (evaluations->rows != shape.num_rows())
    throw Error(PINION_INVALID_INPUT,
                fmt::format("job: evaluations of {} rows, the shape has {}", evaluations->rows, shape.num_rows()));
  out.evaluations = Evaluations{scalars(evaluations->a, evaluations->rows, "evaluations of A"),
                                scalars(evaluations->b, evaluations->rows, "evaluations of B")};
  return out;
}

}  // namespace pinion::backend_groth16
