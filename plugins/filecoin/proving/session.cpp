#include "session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <pinion/circuit/num.hpp>
#include <pinion/groth16/random.hpp>

namespace pinion::filecoin {
namespace {

constexpr std::uint64_t part_bytes = PINION_GROTH16_PART_BYTES;
// The circuit's own vectors while challenges are written: 360 KB a thread (measured, any size), for 64 threads and
// more.
constexpr std::uint64_t synthesis_reserve = 32ULL << 20;

std::array<std::uint8_t, part_bytes> exactly_one(std::span<const std::uint8_t> part, std::uint32_t partition) {
  if (part.size() != part_bytes)
    throw Error(PINION_PROOF_INVALID,
                fmt::format("partition {}: a part of {} bytes, {} expected", partition, part.size(), part_bytes));
  std::array<std::uint8_t, part_bytes> out{};
  std::copy(part.begin(), part.end(), out.begin());
  return out;
}

template <class T>
T valid(groth16::Result<T> result) {
  if (!result) throw Error(PINION_PROOF_INVALID, result.error().message);
  return std::move(result).value();
}

}  // namespace

ProofSession::ProofSession(std::unique_ptr<const Statement> statement, const KindTable& kinds, const ProofKind& kind,
                           FoundKey key, const std::string& params_dir)
    : statement_(std::move(statement)),
      c_kind_(kinds.c_kind(kind)),
      facts_(*kind.facts),
      resources_(kind, key, params_dir),
      verifier_(std::move(key.key)),
      payloads_(statement_->partitions()) {
  for (const JobFormat format : {JobFormat::witness, JobFormat::evaluations})
    needs_[static_cast<std::size_t>(format)] = buffer_needs(format, facts_);
}

pinion_plan ProofSession::plan(std::string_view format) {
  const auto& needs = needs_[static_cast<std::size_t>(job_format(format))];
  pinion_plan plan{};
  plan.size = sizeof plan;
  plan.partitions = statement_->partitions();
  plan.need_count = static_cast<std::uint32_t>(needs.size());
  plan.needs = needs.data();
  plan.resource_count = static_cast<std::uint32_t>(resources_.all().size());
  plan.resources = resources_.all().data();
  plan.reserve = synthesis_reserve;
  plan.part_bytes = part_bytes;
  plan.proof_bytes = statement_->parts_only().empty() ? part_bytes * statement_->partitions() : 0;
  return plan;
}

pinion_job ProofSession::synthesize(std::string_view format, std::uint32_t partition,
                                    std::span<const pinion_buffer> buffers, std::span<const pinion_loaded> residents,
                                    Call& call) {
  require_partition(partition);
  const JobFormat kind = job_format(format);
  if (const auto& needs = needs_[static_cast<std::size_t>(kind)]; buffers.size() != needs.size())
    throw Error(PINION_INTERNAL, fmt::format("{} buffers lent, the plan asks for {}", buffers.size(), needs.size()));
  Payload& payload = payloads_[partition];
  if (kind == JobFormat::witness) {
    payload.witness = write_packed(partition, packed_witness(buffers[0], facts_), call);
    return {sizeof(pinion_job), 0, PINION_JOB_GROTH16_WITNESS, &payload.witness};
  }
  const auto packed = packed_witness(buffers[4], facts_);
  const pinion_groth16_witness written = write_packed(partition, packed, call);
  payload.evaluations = evaluate(packed, written, buffers, residents, call);
  return {sizeof(pinion_job), 0, PINION_JOB_GROTH16_EVALUATIONS, &payload.evaluations};
}

void ProofSession::retire(std::uint32_t partition) noexcept {
  if (partition < payloads_.size()) payloads_[partition] = Payload{};
}

void ProofSession::verify_part(std::uint32_t partition, std::span<const std::uint8_t> part, Call&) {
  require_partition(partition);
  const auto bytes = exactly_one(part, partition);
  const auto inputs = statement_->public_inputs(partition);
  if (valid(verifier_.verify({inputs, valid(groth16::Proof::decode(bytes))}))) return;
  const std::string what =
      fmt::format("partition {} of {}: the part does not verify", partition, statement_->partitions());
  // Backends compare a key's digest when they load it; where they had none to compare with, the key is the first
  // suspect, and no device.
  if (resources_.keys_digest().empty())
    throw Error(
        PINION_INVALID_CONFIG,
        fmt::format("{}; {} was loaded without a digest to check it by: look at it with `pinion params check`, or "
                    "fetch or make it anew",
                    what, resources_.keys_file()));
  throw Error(PINION_PROOF_INVALID, what);
}

std::uint64_t ProofSession::assemble(std::span<const pinion_bytes> parts, std::span<std::uint8_t> out) {
  require_joinable();
  if (parts.size() != statement_->partitions() || out.size() < part_bytes * parts.size())
    throw Error(PINION_INTERNAL, fmt::format("{} parts into {} bytes, {} parts of {} bytes expected", parts.size(),
                                             out.size(), statement_->partitions(), part_bytes));
  for (std::uint32_t k = 0; k < parts.size(); ++k) {
    const auto part = exactly_one(bytes_of(parts[k]), k);
    std::copy(part.begin(), part.end(), out.begin() + static_cast<std::ptrdiff_t>(part_bytes * k));
  }
  return part_bytes * parts.size();
}

void ProofSession::verify(std::span<const std::uint8_t> proof, Call& call) {
  require_joinable();
  const unsigned partitions = statement_->partitions();
  const auto proofs = valid(groth16::decode_proofs(proof, partitions));
  std::vector<std::vector<bls::Fr>> inputs(partitions);
  std::vector<groth16::ProvenStatement> statements;
  for (unsigned k = 0; k < partitions; ++k) {
    inputs[k] = statement_->public_inputs(k);
    statements.push_back({inputs[k], proofs[k]});
  }
  const auto random = [&](std::span<std::uint8_t> out) { call.random(out); };
  if (valid(verifier_.verify_all(statements, random, call))) return;
  for (unsigned k = 0; k < partitions; ++k)
    if (!valid(verifier_.verify(statements[k])))
      throw Error(PINION_PROOF_INVALID, fmt::format("partition {} of {} does not verify", k, partitions));
  throw Error(PINION_INTERNAL, "every partition verifies alone but not all together");
}

void ProofSession::require_partition(std::uint32_t partition) const {
  if (partition >= payloads_.size())
    throw Error(PINION_INVALID_INPUT, fmt::format("partition {} of a proof that has {}", partition, payloads_.size()));
}

void ProofSession::require_joinable() const {
  if (const std::string reason = statement_->parts_only(); !reason.empty()) throw Error(PINION_UNSUPPORTED, reason);
}

pinion_groth16_witness ProofSession::write_packed(std::uint32_t partition,
                                                  const circuit::WitnessWriter::Buffers& buffers, Call& call) const {
  Span span(call, "witness");
  span.add_bytes(buffers.bits.size_bytes() + buffers.scalars.size_bytes());
  std::fill(buffers.bits.begin(), buffers.bits.end(), 0);
  try {
    statement_->write_witness(partition, end_of(facts_), buffers, call);
  } catch (const circuit::Unsatisfied& error) {
    // The input's fault, not a device's: without this a proof would be made, fail its check and count as a strike.
    throw Error(PINION_INVALID_INPUT, fmt::format("partition {}: {}", partition, error.what()));
  }
  const auto random = [&](std::span<std::uint8_t> out) { call.random(out); };
  const bls::Fr r = groth16::random_scalar(random);
  const bls::Fr s = groth16::random_scalar(random);
  return packed_payload(buffers, facts_, r, s);
}

pinion_groth16_evaluations ProofSession::evaluate(const circuit::WitnessWriter::Buffers& packed,
                                                  const pinion_groth16_witness& written,
                                                  std::span<const pinion_buffer> buffers,
                                                  std::span<const pinion_loaded> residents, Call& call) const {
  const auto shape = std::find_if(residents.begin(), residents.end(), [](const pinion_loaded& loaded) {
    return std::string_view(loaded.resource->format) == PINION_SHAPE_R1CS;
  });
  if (shape == residents.end() || shape->view.size == 0)
    throw Error(PINION_UNSUPPORTED, "evaluations are made here, from the shape in host memory, and it is not there");
  Span span(call, "evaluations");
  span.add_bytes(3 * buffers[0].bytes);
  const auto opened = groth16::Shape::reopen(bytes_of(shape->view));
  if (!opened) throw Error(PINION_INTERNAL, opened.error().message);
  if (opened->counts() != facts_.counts) throw Error(PINION_INTERNAL, "the shape lent is of another circuit");
  return write_evaluations({packed.inputs, packed.bits, packed.scalars}, std::bit_cast<bls::Fr>(written.r),
                           std::bit_cast<bls::Fr>(written.s), *opened, facts_, buffers, call);
}

}  // namespace pinion::filecoin
