#include "key_resident.hpp"

#include <fmt/format.h>

#include <bit>
#include <pinion/groth16/domain.hpp>

namespace pinion::backend_cpu {
namespace {

constexpr std::uint64_t alignment = 64;
// Decoding takes about 0.5 us a point and thread; an estimate for the evictor.
constexpr std::uint64_t bytes_per_ms = std::uint64_t{96} * 2000;
constexpr std::uint64_t load_bytes = std::uint64_t{64} << 20;  // read buffers of read_queries, and the verifying key

// A parameter file that is absent or not what it should be is the configuration's fault, no request's.
template <class T>
T valid(groth16::Result<T> result) {
  if (!result) throw Error(PINION_INVALID_CONFIG, result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

groth16::File open(const pinion_resource& resource) {
  if (resource.file == nullptr || *resource.file == '\0')
    throw Error(PINION_UNSUPPORTED, fmt::format("{}: keys are read from a file, and none is named", resource.id));
  return valid(groth16::File::open(resource.file));
}

groth16::ParamsLayout layout_of(const groth16::File& file) {
  const groth16::ParamsLayout layout = valid(groth16::ParamsLayout::read(file));
  const std::uint64_t domain = std::uint64_t{layout.counts.h} + 1;
  if (!std::has_single_bit(domain) || domain > std::uint64_t{1} << groth16::Domain::max_log)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: h has {} points; one less than a power of two, at most 2^{}, is expected", file.path(),
                            layout.counts.h, groth16::Domain::max_log));
  return layout;
}

std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t buffer_bytes(const groth16::KeyCounts& n) {
  const std::uint64_t g1 = sizeof(bls::G1Affine), g2 = sizeof(bls::G2Affine);
  return padded(n.h * g1) + padded(n.l * g1) + padded(n.a * g1) + padded(n.b * g1) + padded(n.b * g2);
}

// Cuts spans off a buffer.
class Cutter {
 public:
  explicit Cutter(std::span<std::uint8_t> bytes) : rest_(bytes) {}
  template <class Point>
  std::span<Point> cut(std::uint64_t count) {
    const std::span<Point> out(reinterpret_cast<Point*>(rest_.data()), count);
    rest_ = rest_.subspan(padded(count * sizeof(Point)));
    return out;
  }

 private:
  std::span<std::uint8_t> rest_;
};

groth16::QuerySpans cut(std::span<std::uint8_t> bytes, const groth16::KeyCounts& n) {
  Cutter cutter(bytes);
  const auto h = cutter.cut<bls::G1Affine>(n.h), l = cutter.cut<bls::G1Affine>(n.l), a = cutter.cut<bls::G1Affine>(n.a),
             b_g1 = cutter.cut<bls::G1Affine>(n.b);
  return {h, l, a, b_g1, cutter.cut<bls::G2Affine>(n.b)};
}

}  // namespace

groth16::ParamsLayout read_layout(const pinion_resource& resource) {
  return layout_of(open(resource));
}

pinion_resident_info KeyResident::describe(const pinion_resource& resource) {
  pinion_resident_info info{};
  info.size = sizeof info;
  info.buffer_kinds = PINION_MEMORY_ANY;
  info.host_bytes = buffer_bytes(read_layout(resource).counts);
  info.load_bytes = load_bytes;
  info.reload_ms = info.host_bytes / bytes_per_ms;
  return info;
}

KeyResident::KeyResident(const pinion_resource& resource, const pinion_buffer& buffer, Call& call)
    : file_(resource.file), key_{head_, {}, {}, {}, {}, {}} {
  const groth16::File file = open(resource);
  const groth16::ParamsLayout layout = layout_of(file);
  const Span span(call, "read keys");
  head_ = valid(groth16::read_verifying_key(file, layout));
  const groth16::QuerySpans queries = cut(values<std::uint8_t>(buffer, buffer_bytes(layout.counts)), layout.counts);
  valid(groth16::read_queries(file, layout, bls::Check::curve, queries, call));
  key_.h = queries.h;
  key_.l = queries.l;
  key_.a = queries.a;
  key_.b_g1 = queries.b_g1;
  key_.b_g2 = queries.b_g2;
}

}  // namespace pinion::backend_cpu
