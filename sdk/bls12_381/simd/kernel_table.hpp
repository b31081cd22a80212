// Fills a kernel table from one kind of lanes. Included by the two kernels_*.cpp only; internal linkage.
#pragma once

#include "coordinate_lanes.hpp"
#include "invert_lanes.hpp"
#include "kernels.hpp"
#include "pair_addition.hpp"
#include "point_decoding.hpp"
#include "transform_tiles.hpp"

namespace pinion::bls::simd {
namespace {

template <class Fp, class Coordinates, void (*invert)(std::uint64_t*)>
constexpr PointKernels point_kernels() {
  using Addition = PairAddition<Coordinates>;
  return {Addition::scratch_bytes,
          [](const std::uint64_t* points, const PointRef* refs, std::size_t pairs, std::uint64_t* out, void* scratch) {
            Addition::run(points, refs, pairs, out, static_cast<typename Addition::Group*>(scratch), invert);
          },
          PointDecoding<Fp, Coordinates>::run};
}

template <class Fp, class Fr>
constexpr Kernels kernel_table(const char* name) {
  using Tiles = TransformTiles<Fr>;
  return {
      name,
      point_kernels<Fp, PrimeCoordinates<Fp>, invert_eight_fp>(),
      point_kernels<Fp, QuadraticCoordinates<Fp>, invert_eight_fp2>(),
      {sizeof(typename Fr::Value), Fr::factor_words, Tiles::write_factors, Tiles::load_columns, Tiles::multiply_columns,
       Tiles::load_rows, Tiles::transform, Tiles::bit_reverse, Tiles::multiply_tile, Tiles::multiply_table,
       Tiles::store_columns, Tiles::store_columns_scaled, Tiles::store_rows_scaled, Tiles::store_difference}};
}

}  // namespace
}  // namespace pinion::bls::simd
