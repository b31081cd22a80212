#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "launch.cuh"
#include "sort.hpp"

namespace pinion::cuda {

std::size_t sort_scratch_bytes(std::size_t count) {
  std::size_t sort = 0, scan = 0;
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  const int items = static_cast<int>(count);
  if (cub::DeviceRadixSort::SortPairs(nullptr, sort, in, out, in, out, items, 0, 32) != cudaSuccess) return 0;
  if (cub::DeviceScan::ExclusiveSum(nullptr, scan, in, out, items) != cudaSuccess) return 0;
  return std::max(sort, scan);
}

Status sort_pairs(const std::uint32_t* keys_in, std::uint32_t* keys_out, const std::uint32_t* values_in,
                  std::uint32_t* values_out, std::size_t count, unsigned bits, void* scratch, std::size_t scratch_bytes,
                  Stream stream) {
  return checked(cub::DeviceRadixSort::SortPairs(scratch, scratch_bytes, keys_in, keys_out, values_in, values_out,
                                                 static_cast<int>(count), 0, static_cast<int>(bits), stream),
                 "sorting digits");
}

Status prefix_sums(const std::uint32_t* in, std::uint32_t* out, std::size_t count, void* scratch,
                   std::size_t scratch_bytes, Stream stream) {
  return checked(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, in, out, static_cast<int>(count), stream),
                 "prefix sums");
}

}  // namespace pinion::cuda
