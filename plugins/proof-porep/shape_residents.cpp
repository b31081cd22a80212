#include <pinion/groth16.h>

#include <algorithm>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/porep/circuit_facts.hpp>
#include <pinion/porep/kinds.hpp>
#include <pinion/porep/shape_residents.hpp>

namespace pinion::filecoin {
namespace {

constexpr std::string_view prefix = "shape of ";
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

}  // namespace

std::string shape_resource_id(SectorSize size) {
  return std::string(prefix).append(kind_id(size));
}

SectorSize size_of_shape(const pinion_resource& resource) {
  for (const SectorSize size : sector_sizes)
    if (shape_resource_id(size) == resource.id) return size;
  throw Error(PINION_INVALID_INPUT, std::string("resource \"") + resource.id + "\" is none of this plugin's shapes");
}

pinion_resident_info describe_shape(const pinion_resource& resource, std::int32_t device) {
  require_host(device);
  const CircuitFacts& facts = circuit_facts(size_of_shape(resource));
  pinion_resident_info info{};
  info.size = sizeof info;
  info.buffer_kinds = PINION_MEMORY_ANY;
  info.host_bytes = facts.shape_bytes();
  // The recorder holds rows and columns once more, and gives them up piece by piece as they are written.
  info.load_bytes = facts.shape_bytes();
  info.reload_ms = facts.counts.rows / rows_per_ms;
  return info;
}

std::unique_ptr<Resident> load_shape(const pinion_resource& resource, std::int32_t device,
                                     std::span<const std::uint8_t> source, const pinion_buffer* buffer,
                                     const circuit::PoseidonSet& hashes, Call& call) {
  require_host(device);
  const SectorSize size = size_of_shape(resource);
  const CircuitFacts& facts = circuit_facts(size);
  if (buffer == nullptr) throw Error(PINION_INTERNAL, "a shape is made in a buffer, and none was lent");
  const auto out = values<std::uint8_t>(*buffer, facts.shape_bytes());
  const Span span(call, "record shape");
  if (source.size() == out.size()) {
    std::copy(source.begin(), source.end(), out.begin());
  } else {
    groth16::ShapeBuilder builder = record_porep(SealProof(size, SealProof::Variant::V1).setup(), hashes, call);
    if (builder.finish() != facts.counts)
      throw Error(PINION_INTERNAL, std::string(resource.id) + ": the recorded circuit has other counts than are known");
    builder.write(out, call);
  }
  const auto shape = groth16::Shape::reopen(out);
  if (!shape) throw Error(PINION_INTERNAL, shape.error().message);
  if (to_hex(shape->digest()) != facts.shape_digest)
    throw Error(PINION_INTERNAL, std::string(resource.id) + ": digest " + to_hex(shape->digest()) + ", " +
                                     std::string(facts.shape_digest) + " expected");
  return std::make_unique<ShapeResident>(out);
}

}  // namespace pinion::filecoin
