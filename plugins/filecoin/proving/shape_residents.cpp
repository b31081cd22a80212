#include "shape_residents.hpp"

#include <algorithm>
#include <pinion/filecoin/digest.hpp>
#include <pinion/groth16/shape.hpp>

namespace pinion::filecoin {
namespace {

// Recording takes about 0.25 us a row on one thread.
constexpr std::uint64_t rows_per_ms = 4000;

void require_host(std::int32_t device) {
  if (device >= 0)
    throw Error(PINION_UNSUPPORTED, "shapes are made in host memory; a backend brings them to its devices");
}

class ShapeResident final : public Resident {
 public:
  explicit ShapeResident(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::span<const std::uint8_t> view() const noexcept override { return bytes_; }

 private:
  std::span<const std::uint8_t> bytes_;
};

// What the recorder holds beside the shape: rows and columns of one of the equal parts, bitmaps over all variables, and
// what its arrays are longer than filled (measured: 59 MB for WindowPoSt and 248 MB for PoRep of 32GiB).
std::uint64_t recorder_bytes(const ProofKind& kind) {
  constexpr std::uint64_t unfilled = 32ULL << 20;
  return kind.facts->shape_bytes() / kind.equal_parts + kind.facts->counts.aux / 2 + unfilled;
}

}  // namespace

pinion_resident_info describe_shape(const ProofKind& kind, std::int32_t device) {
  require_host(device);
  const CircuitFacts& facts = *kind.facts;
  pinion_resident_info info{};
  info.size = sizeof info;
  info.buffer_kinds = PINION_MEMORY_ANY;
  info.host_bytes = facts.shape_bytes();
  info.load_bytes = recorder_bytes(kind);
  info.reload_ms = facts.counts.rows / rows_per_ms;
  return info;
}

std::unique_ptr<Resident> load_shape(const ProofKind& kind, std::int32_t device, std::span<const std::uint8_t> source,
                                     const pinion_buffer* buffer, Call& call) {
  require_host(device);
  const CircuitFacts& facts = *kind.facts;
  if (buffer == nullptr) throw Error(PINION_INTERNAL, "a shape is made in a buffer, and none was lent");
  const auto out = values<std::uint8_t>(*buffer, facts.shape_bytes());
  const Span span(call, "record shape");
  if (source.size() == out.size()) {
    std::copy(source.begin(), source.end(), out.begin());
  } else {
    groth16::ShapeBuilder builder = kind.record(call);
    if (builder.finish() != facts.counts)
      throw Error(PINION_INTERNAL, kind.shape_id() + ": the recorded circuit has other counts than are known");
    builder.write(out, call);
  }
  const auto shape = groth16::Shape::reopen(out);
  if (!shape) throw Error(PINION_INTERNAL, shape.error().message);
  if (to_hex(shape->digest()) != facts.shape_digest)
    throw Error(PINION_INTERNAL, kind.shape_id() + ": digest " + to_hex(shape->digest()) + ", " +
                                     std::string(facts.shape_digest) + " expected");
  return std::make_unique<ShapeResident>(out);
}

}  // namespace pinion::filecoin
