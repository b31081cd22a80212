// Points of a key file, decoded where their encodings stand. Which of them, and when, is the reader's affair.
#pragma once

#include <fmt/format.h>

#include <pinion/bls12_381/simd/kernels.hpp>
#include <pinion/bls12_381/simd/subgroup.hpp>
#include <vector>

#include "params.hpp"
#include "point_io.hpp"
#include "random.hpp"

namespace pinion::groth16 {

// Below, testing points one by one is as quick as all at once.
inline constexpr std::size_t least_batch = 64;

template <class Point>
const bls::simd::PointKernels& kernels_of() {
  const bls::simd::Kernels& kernels = bls::simd::best_kernels();
  if constexpr (std::is_same_v<Point, bls::G1Affine>) return kernels.g1;
  return kernels.g2;
}

// Decodes points of one section over their encodings: both forms have the same size.
template <class Point>
class PointDecoder {
 public:
  // Messages name the point at `first` + i of the section, which lies at byte `offset` + i * size of the file.
  PointDecoder(const File& file, KeySection section, std::uint64_t first, std::uint64_t offset, bls::Check check)
      : file_(file), section_(section), first_(first), offset_(offset), check_(check) {}

  Result<void> decode(std::span<Point> points) const {
    std::size_t good = 0;
    const auto decoded = decode_on_curve(points, good);
    if (check_ == bls::Check::curve) return decoded;
    const auto checked = check_subgroup(points.first(good));
    return checked ? decoded : checked;
  }

 private:
  static_assert(bls::uncompressed_size<Point> == sizeof(Point));
  using Field = decltype(Point::x);

  // `i` counts the points that are.
  Result<void> decode_on_curve(std::span<Point> points, std::size_t& i) const {
    const auto decode_eight = kernels_of<Point>().decode_eight;
    for (; i + 8 <= points.size(); i += 8) {
      auto* const eight = reinterpret_cast<std::uint64_t*>(&points[i]);
      const unsigned odd = decode_eight(reinterpret_cast<const std::uint8_t*>(eight), eight);
      for (std::size_t lane = 0; lane < 8; ++lane) {
        if ((odd >> lane & 1) == 0) continue;
        if (auto one = decode_one(points, i + lane); !one) {
          i += lane;
          return one;
        }
      }
    }
    for (; i < points.size(); ++i)
      if (auto one = decode_one(points, i); !one) return one;
    return {};
  }

  // All at once first: only where that fails, or would not pay, one by one.
  Result<void> check_subgroup(std::span<const Point> points) const {
    using Batch = bls::simd::SubgroupCheck<Field>;
    if (points.size() >= least_batch) {
      std::vector<std::uint8_t> random(Batch::bytes_per_point * points.size());
      system_random(random);
      if (Batch(points.size()).all(points, random)) return {};
    }
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!points[i].is_in_subgroup()) return fault(i, bls::describe(bls::DecodeError::not_in_subgroup));
    return {};
  }

  Result<void> decode_one(std::span<Point> points, std::size_t i) const {
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(&points[i]), sizeof(Point));
    const auto decoded = bls::decode_uncompressed<Point>(bytes.template first<sizeof(Point)>(), bls::Check::curve);
    if (const char* why = fault_of(decoded, Infinity::refused)) return fault(i, why);
    points[i] = decoded.point;
    return {};
  }
  Result<void> fault(std::size_t i, const char* why) const {
    return point_error(file_.name(), fmt::format("{}[{}]", name_of(section_), first_ + i), offset_ + i * sizeof(Point),
                       why);
  }

  const File& file_;
  KeySection section_;
  std::uint64_t first_, offset_;
  bls::Check check_;
};

}  // namespace pinion::groth16
