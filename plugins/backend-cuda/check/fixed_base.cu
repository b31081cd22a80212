#include "affine_run.cuh"
#include "fixed_base.hpp"
#include "launch.cuh"
#include "ntt_tile.cuh"
#include "permuted.cuh"

namespace pinion::cuda::check {
namespace {

constexpr unsigned threads = 64;

template <class Group>
__device__ __noinline__ void add_entry(Xyzz<Group>& sum, const uint4* entry) {
  constexpr unsigned step = fp_words * Group::lanes;
  typename Group::Field x, y;
  Group::half(x) = load_fp(entry + fp_words * Group::lane());
  Group::half(y) = load_fp(entry + step + fp_words * Group::lane());
  add_affine(sum, x, y);
}

template <class Group>
__device__ Xyzz<Group> product_of(const uint4* table, const Fr& scalar) {
  const Fr s = from_montgomery(scalar);
  Xyzz<Group> sum = infinity<Group>();
  for (unsigned w = 0; w < fixed_base_windows; ++w) {
    u32 word = 0;
    PINION_UNROLL
    for (unsigned j = 0; j < 8; ++j) word = w / 4 == j ? s.limb[j] : word;
    const u32 digit = word >> (8 * (w % 4)) & 0xff;
    if (digit != 0) add_entry(sum, table + (std::size_t{256} * w + digit) * affine_words<Group>);
  }
  return sum;
}

struct Arguments {
  const uint4* table;
  const Fr* scalars;
  std::size_t first, count;
  PermutedPlaces places;
  uint4* points;
  uint4* scratch;
};

template <class Group>
__global__ void products_kernel(const Arguments to) {
  const std::size_t begin = global_thread() / Group::lanes * affine_run;
  if (begin >= to.count) return;
  const std::size_t end = begin + affine_run < to.count ? begin + affine_run : to.count;
  write_affine<Group>(
      begin, end, [&](std::size_t i) { return product_of<Group>(to.table, ntt::load_data(to.scalars + i)); },
      to.scratch, [&](std::size_t i) { return to.points + to.places.of(to.first + i) * affine_words<Group>; });
}

}  // namespace

Status fill_products(Curve curve, const void* table, const Fr* scalars, std::size_t first, std::size_t count,
                     PointOrder order, void* points, Arena& arena, Stream stream) {
  const ArenaScope scope(arena);
  std::byte* scratch = nullptr;
  PINION_TRY(arena.take(scratch, count * affine_bytes(curve) / 2 * 3, "multiples of a generator"));
  Arguments to{static_cast<const uint4*>(table), scalars, first, count, {}, static_cast<uint4*>(points),
               reinterpret_cast<uint4*>(scratch)};
  if (order.lg_size != PointOrder::natural) to.places = PermutedPlaces(order.lg_size);
  const std::size_t runs = (count + affine_run - 1) / affine_run;
  constexpr const char* what = "multiples of a generator";
  if (curve == Curve::g1) return launch(what, products_kernel<G1>, {blocks_for(runs, threads), threads}, stream, to);
  return launch(what, products_kernel<G2>, {blocks_for(2 * runs, threads), threads}, stream, to);
}

}  // namespace pinion::cuda::check
