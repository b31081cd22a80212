#include "key_resident.hpp"

#include <pinion/backend_groth16/key_file.hpp>

namespace pinion::backend_cpu {

using backend_groth16::KeyFile;
using backend_groth16::valid;

namespace {

constexpr std::uint64_t alignment = 64;
// Decoding takes about 0.5 us a point and thread; an estimate for the evictor.
constexpr std::uint64_t bytes_per_ms = std::uint64_t{96} * 2000;
constexpr std::uint64_t load_bytes = std::uint64_t{64} << 20;  // read buffers of read_queries, and the verifying key

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

pinion_resident_info KeyResident::describe(const pinion_resource& resource) {
  pinion_resident_info info{};
  info.size = sizeof info;
  info.buffer_kinds = PINION_MEMORY_ANY;
  info.host_bytes = buffer_bytes(KeyFile::open(resource).layout.counts);
  info.load_bytes = load_bytes;
  info.reload_ms = info.host_bytes / bytes_per_ms;
  return info;
}

KeyResident::KeyResident(const pinion_resource& resource, const pinion_buffer& buffer, Call& call)
    : file_(resource.file), key_{head_, {}, {}, {}, {}, {}} {
  const auto [file, layout] = KeyFile::open(resource);
  backend_groth16::KeyDigest digest(resource, file);
  const Span span(call, "read keys");
  const groth16::QuerySpans queries = cut(values<std::uint8_t>(buffer, buffer_bytes(layout.counts)), layout.counts);
  const auto read = groth16::read_queries(file, layout, bls::Check::curve, queries, call, digest.running());
  digest.require(call);
  valid(read);
  head_ = valid(groth16::read_verifying_key(file, layout));
  key_.h = queries.h;
  key_.l = queries.l;
  key_.a = queries.a;
  key_.b_g1 = queries.b_g1;
  key_.b_g2 = queries.b_g2;
}

}  // namespace pinion::backend_cpu
