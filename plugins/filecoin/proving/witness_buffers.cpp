#include "witness_buffers.hpp"

#include <algorithm>
#include <bit>
#include <pinion/groth16/evaluate.hpp>
#include <string>

namespace pinion::filecoin {
namespace {

constexpr std::uint64_t scalar_bytes = sizeof(bls::Fr);

std::uint64_t bitmap_words(const CircuitFacts& facts) {
  return (std::uint64_t{facts.counts.aux} + 63) / 64;
}
std::uint64_t packed_bytes(const CircuitFacts& facts) {
  return scalar_bytes * (std::uint64_t{facts.scalars()} + facts.counts.inputs) + 8 * bitmap_words(facts);
}
std::uint64_t plain_bytes(const CircuitFacts& facts) {
  return scalar_bytes * (std::uint64_t{facts.counts.aux} + facts.counts.inputs);
}
pinion_buffer_need need(std::uint64_t bytes, std::uint32_t free_after, const char* purpose) {
  return {bytes, PINION_MEMORY_ANY, free_after, purpose, 0};
}
// Refuses a buffer that is shorter than what was asked for.
std::uint8_t* begin_of(const pinion_buffer& buffer, std::uint64_t bytes) {
  return values<std::uint8_t>(buffer, bytes).data();
}
template <class T>
std::span<T> at(std::uint8_t* base, std::uint64_t offset, std::uint64_t count) {
  return {reinterpret_cast<T*>(base + offset), static_cast<std::size_t>(count)};
}

static_assert(sizeof(pinion_fr) == sizeof(bls::Fr) && alignof(pinion_fr) == alignof(bls::Fr));
const pinion_fr* c_scalars(std::span<const bls::Fr> values) {
  return reinterpret_cast<const pinion_fr*>(values.data());
}
pinion_fr c_scalar(const bls::Fr& value) {
  return std::bit_cast<pinion_fr>(value);
}

// Every aux as a scalar.
void unpack(const groth16::Shape& shape, const groth16::Witness& packed, std::span<bls::Fr> aux, Executor& executor) {
  constexpr std::uint64_t grain = 1 << 16;
  executor.for_range(aux.size(), grain, [&](std::uint64_t begin, std::uint64_t end) {
    executor.check();
    std::uint64_t scalar = shape.is_bit().rank_zeros(begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      if (!shape.is_bit().test(i))
        aux[i] = packed.scalars[scalar++];
      else
        aux[i] = (packed.bits[i / 64] >> (i % 64) & 1) != 0 ? bls::Fr::one() : bls::Fr::zero();
    }
  });
}

}  // namespace

JobFormat job_format(std::string_view id) {
  if (id == PINION_JOB_GROTH16_WITNESS) return JobFormat::witness;
  if (id == PINION_JOB_GROTH16_EVALUATIONS) return JobFormat::evaluations;
  throw Error(PINION_UNSUPPORTED, "job format " + std::string(id) +
                                      ": this plugin emits " PINION_JOB_GROTH16_WITNESS
                                      " and " PINION_JOB_GROTH16_EVALUATIONS);
}

std::vector<pinion_buffer_need> buffer_needs(JobFormat format, const CircuitFacts& facts) {
  const std::uint64_t rows = scalar_bytes * facts.counts.rows;
  if (format == JobFormat::witness) return {need(packed_bytes(facts), PINION_FREE_AFTER_FINISH, "packed witness")};
  return {need(rows, PINION_FREE_AFTER_START, "evaluations a"), need(rows, PINION_FREE_AFTER_START, "evaluations b"),
          need(rows, PINION_FREE_AFTER_START, "evaluations c"),
          need(plain_bytes(facts), PINION_FREE_AFTER_FINISH, "witness"),
          need(packed_bytes(facts), PINION_FREE_AFTER_SYNTHESIS, "packed witness")};
}

circuit::WitnessWriter::Buffers packed_witness(const pinion_buffer& buffer, const CircuitFacts& facts) {
  std::uint8_t* const base = begin_of(buffer, packed_bytes(facts));
  const std::uint64_t bits_at = scalar_bytes * facts.scalars();
  const std::uint64_t inputs_at = bits_at + 8 * bitmap_words(facts);
  return {at<bls::Fr>(base, inputs_at, facts.counts.inputs), at<std::uint64_t>(base, bits_at, bitmap_words(facts)),
          at<bls::Fr>(base, 0, facts.scalars())};
}

circuit::WitnessWriter::Position end_of(const CircuitFacts& facts) {
  return {facts.counts.inputs, facts.counts.aux, facts.scalars()};
}

pinion_groth16_witness packed_payload(const circuit::WitnessWriter::Buffers& buffers, const CircuitFacts& facts,
                                      const bls::Fr& r, const bls::Fr& s) {
  pinion_groth16_witness out{};
  out.size = sizeof out;
  out.form = PINION_WITNESS_PACKED;
  out.num_inputs = facts.counts.inputs;
  out.num_aux = facts.counts.aux;
  out.num_scalars = facts.scalars();
  out.inputs = c_scalars(buffers.inputs);
  out.bits = buffers.bits.data();
  out.scalars = c_scalars(buffers.scalars);
  out.r = c_scalar(r);
  out.s = c_scalar(s);
  return out;
}

pinion_groth16_evaluations write_evaluations(const groth16::Witness& packed, const bls::Fr& r, const bls::Fr& s,
                                             const groth16::Shape& shape, const CircuitFacts& facts,
                                             std::span<const pinion_buffer> buffers, Executor& executor) {
  pinion_groth16_evaluations out{};
  out.size = sizeof out;
  out.rows = facts.counts.rows;
  std::array<const pinion_fr**, 3> results{&out.a, &out.b, &out.c};
  for (const groth16::Matrix matrix : groth16::matrices) {
    const auto m = static_cast<std::size_t>(matrix);
    const auto rows = at<bls::Fr>(begin_of(buffers[m], scalar_bytes * facts.counts.rows), 0, facts.counts.rows);
    groth16::evaluate(shape, matrix, packed, rows, executor);
    *results[m] = c_scalars(rows);
  }
  std::uint8_t* const base = begin_of(buffers[3], plain_bytes(facts));
  const auto aux = at<bls::Fr>(base, 0, facts.counts.aux);
  const auto inputs = at<bls::Fr>(base, scalar_bytes * facts.counts.aux, facts.counts.inputs);
  std::copy(packed.inputs.begin(), packed.inputs.end(), inputs.begin());
  unpack(shape, packed, aux, executor);
  out.witness.size = sizeof out.witness;
  out.witness.form = PINION_WITNESS_PLAIN;
  out.witness.num_inputs = facts.counts.inputs;
  out.witness.num_aux = out.witness.num_scalars = facts.counts.aux;
  out.witness.inputs = c_scalars(inputs);
  out.witness.scalars = c_scalars(aux);
  out.witness.r = c_scalar(r);
  out.witness.s = c_scalar(s);
  return out;
}

}  // namespace pinion::filecoin
