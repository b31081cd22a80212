// A shape's flat form in device memory, as the kernels see it. Host code only.
#pragma once

#include <pinion/groth16/shape_format.hpp>

#include "rows.hpp"

namespace pinion::cuda {

// `flat`: the whole of a checked shape, or for A and B its prefix of bytes_without_c, copied to the device. [any]
class ShapeView {
 public:
  ShapeView(const void* flat, const groth16::ShapeCounts& counts)
      : flat_(static_cast<const std::byte*>(flat)), layout_(counts), counts_(counts) {}

  DeviceRows rows(groth16::Matrix matrix) const {
    using groth16::Section;
    constexpr Section begins[] = {Section::a_begin, Section::b_begin, Section::c_begin};
    constexpr Section columns[] = {Section::a_columns, Section::b_columns, Section::c_columns};
    const auto m = static_cast<std::size_t>(matrix);
    DeviceRows out;
    out.coefficients = at<Fr>(Section::coefficients);
    out.pattern_begin = at<std::uint32_t>(Section::pattern_begin);
    out.pattern_coefficients = at<std::uint32_t>(Section::pattern_coefficients);
    out.row_patterns = at<std::uint32_t>(Section::row_patterns);
    out.block_begin = at<std::uint64_t>(begins[m]);
    out.columns = at<std::uint32_t>(columns[m]);
    out.matrix = static_cast<unsigned>(m);
    out.num_rows = counts_.rows;
    return out;
  }
  // `words` is one of the *_words sections, `ranks` its companion.
  DeviceBitmap bitmap(groth16::Section words, groth16::Section ranks) const {
    return {at<std::uint64_t>(words), at<std::uint32_t>(ranks)};
  }

 private:
  template <class T>
  const T* at(groth16::Section section) const {
    return reinterpret_cast<const T*>(flat_ + layout_[section].offset);
  }

  const std::byte* flat_;
  groth16::ShapeLayout layout_;
  groth16::ShapeCounts counts_;
};

}  // namespace pinion::cuda
