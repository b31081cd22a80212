// A circuit's shape on a device: what evaluates A and B and says which variable belongs to which query. C stays behind:
// its values are the products of A's and B's for a satisfied circuit.
#pragma once

#include <pinion/groth16/params.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/plugin.hpp>

#include "device.hpp"
#include "shape_view.hpp"

namespace pinion::backend_cuda {

class ShapeResident final : public Resident {
 public:
  // Throws UNSUPPORTED when the size is not known. [worker]
  static pinion_resident_info describe(const pinion_resource& resource);
  // `flat`: the whole shape in host memory, of this process's making. Throws INVALID_INPUT when it is none, and what
  // the device says. [worker]
  ShapeResident(Device& device, std::span<const std::uint8_t> flat, Call& call);

  const groth16::KeyCounts& key_counts() const { return key_counts_; }  // of the keys that fit
  std::uint64_t rows() const { return counts_.rows; }
  cuda::DeviceRows matrix(groth16::Matrix m) const { return view_.rows(m); }
  cuda::DeviceBitmap is_bit() const {
    return view_.bitmap(groth16::Section::is_bit_words, groth16::Section::is_bit_ranks);
  }
  // The aux of the queries over A and B; their inputs' points stand before them.
  cuda::QueryAux a_aux() const;
  cuda::QueryAux b_aux() const;
  // Inputs that have a point in B, ascending.
  const std::vector<std::uint32_t>& b_inputs() const { return b_inputs_; }
  // 0, 1, 2, … on the device, one for every input: the points of inputs.
  const std::uint32_t* input_points() const;

 private:
  groth16::ShapeCounts counts_;
  groth16::KeyCounts key_counts_;
  std::vector<std::uint32_t> b_inputs_;
  std::uint64_t flat_bytes_;
  DeviceBlock block_;  // the flat form without C, then input_points
  cuda::ShapeView view_;
};

}  // namespace pinion::backend_cuda
