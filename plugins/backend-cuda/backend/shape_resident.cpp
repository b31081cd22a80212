#include "shape_resident.hpp"

#include <fmt/format.h>

#include <numeric>
#include <pinion/backend_groth16/key_file.hpp>

namespace pinion::backend_cuda {

using groth16::Section;

namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t bytes_per_ms = std::uint64_t{8} << 20;
// Room for input_points, before the number of inputs is known: they are hundreds.
constexpr std::uint64_t most_input_bytes = std::uint64_t{1} << 20;

groth16::Shape reopen(std::span<const std::uint8_t> flat) {
  return backend_groth16::valid(groth16::Shape::reopen(flat), PINION_INVALID_INPUT);
}

std::uint64_t input_bytes(const groth16::ShapeCounts& counts) {
  const std::uint64_t bytes = counts.inputs * sizeof(std::uint32_t);
  if (bytes > most_input_bytes)
    throw Error(PINION_UNSUPPORTED, fmt::format("a circuit of {} inputs; at most {} fit on a device", counts.inputs,
                                                most_input_bytes / sizeof(std::uint32_t)));
  return bytes;
}

}  // namespace

pinion_resident_info ShapeResident::describe(const pinion_resource& resource) {
  if (resource.bytes == 0)
    throw Error(PINION_UNSUPPORTED, fmt::format("{}: its size is not known before it is made", resource.id));
  pinion_resident_info info{};
  info.size = sizeof info;
  info.device_bytes = DeviceSpace::padded(resource.bytes) + most_input_bytes;
  info.reload_ms = info.device_bytes / bytes_per_ms;
  return info;
}

ShapeResident::ShapeResident(Device& device, std::span<const std::uint8_t> flat, Call& call)
    : counts_(reopen(flat).counts()),
      flat_bytes_(DeviceSpace::padded(groth16::ShapeLayout(counts_).bytes_without_c)),
      block_(device.space().take(flat_bytes_ + input_bytes(counts_), DeviceSpace::End::low, "a circuit's shape")),
      view_(block_.data(), counts_) {
  const Span span(call, "copy shape");
  const groth16::Shape shape = reopen(flat);
  key_counts_ = groth16::KeyCounts::of(shape);
  for (std::uint32_t i = 0; i < shape.num_inputs(); ++i)
    if (shape.b_input().test(i)) b_inputs_.push_back(i);
  const cuda::StreamOwner stream = device.new_stream();
  const std::uint64_t bytes = groth16::ShapeLayout(counts_).bytes_without_c;
  std::vector<std::uint32_t> points(counts_.inputs);
  std::iota(points.begin(), points.end(), 0U);
  device.check(cuda::copy_async(block_.data() + flat_bytes_, points.data(), points.size() * sizeof points[0],
                                stream.get(), "a circuit's shape"));
  for (std::uint64_t at = 0; at < bytes && !call.cancelled(); at += chunk_bytes) {
    const std::uint64_t size = std::min(chunk_bytes, bytes - at);
    device.check(cuda::copy_async(block_.data() + at, flat.data() + at, size, stream.get(), "a circuit's shape"));
    device.check(cuda::synchronize(stream.get(), "a circuit's shape"));
    call.progress(at + size, bytes);
  }
  device.check(cuda::synchronize(stream.get(), "a circuit's shape"));
  call.check();
}

cuda::QueryAux ShapeResident::a_aux() const {
  return {view_.bitmap(Section::a_aux_words, Section::a_aux_ranks), counts_.inputs};
}
cuda::QueryAux ShapeResident::b_aux() const {
  return {view_.bitmap(Section::b_aux_words, Section::b_aux_ranks), static_cast<std::uint32_t>(b_inputs_.size())};
}
const std::uint32_t* ShapeResident::input_points() const {
  return reinterpret_cast<const std::uint32_t*>(block_.data() + flat_bytes_);
}

}  // namespace pinion::backend_cuda
