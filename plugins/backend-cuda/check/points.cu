// Multiples of the generator: every thread walks a run of consecutive ones, from a start made by doubling and adding;
// the run's points become affine with one inversion (Montgomery's trick).
#include "affine_run.cuh"
#include "elements.hpp"
#include "launch.cuh"
#include "ntt_tile.cuh"
#include "points.hpp"

namespace pinion::cuda::check {
namespace {

constexpr unsigned threads = 64;

template <class Group>
__device__ __noinline__ void add_point(Xyzz<Group>& sum, const Xyzz<Group>& b) {
  add(sum, b);
}

template <class Group>
__device__ Xyzz<Group> generator();
template <>
__device__ Xyzz<G1> generator() {
  return {Fp{{0xfd530c16, 0x5cb38790, 0x9976fff5, 0x7817fc67, 0x143ba1c1, 0x154f95c7, 0xf3d0e747, 0xf0ae6acd,
              0x21dbf440, 0xedce6ecc, 0x9e0bfb75, 0x12017741}},
          Fp{{0x0ce72271, 0xbaac93d5, 0x7918fd8e, 0x8c22631a, 0x570725ce, 0xdd595f13, 0x50405194, 0x51ac5829,
              0xad0059c0, 0x0e1c8c3f, 0x5008a26a, 0x0bbc3efc}},
          fp_one(), fp_one()};
}
template <>
__device__ Xyzz<G2> generator() {
  const Fp x = choose(is_odd_lane(),
                      Fp{{0x9e23f606, 0xa5a9c075, 0xbccd60c3, 0xaaa0c59d, 0xe2867806, 0x3bb17e18, 0x8541b367,
                          0x1b1ab6cc, 0xf2158547, 0xc2b6ed0e, 0x7360edf3, 0x11922a09}},
                      Fp{{0x02940a10, 0xf5f28fa2, 0x87b4961a, 0xb3f5fb26, 0x3e2ae580, 0xa1a893b5, 0x1a3caee9,
                          0x9894999d, 0x1863366b, 0x6f67b763, 0x4350bcd7, 0x05819192}});
  const Fp y = choose(is_odd_lane(),
                      Fp{{0xdf64b05d, 0xadc0fc92, 0x2b1461dc, 0x18aa270a, 0x3be4eba0, 0x86adac6a, 0xc93da33a,
                          0x79495c4e, 0xa43ccaed, 0xe7175850, 0x63de1bf2, 0x0b2bc2a1}},
                      Fp{{0x60494c4a, 0x4c730af8, 0x5e369c5a, 0x597cfa1f, 0xaa0a635a, 0xe7e6856c, 0x6e0d495f,
                          0xbbefb5e9, 0xf0ef25a2, 0x07d3a975, 0x7e80dae5, 0x0083fd8e}});
  return {{x}, {y}, G2::one(), G2::one()};
}

// scratch: three field elements a point.
template <class Group>
__global__ void multiples_kernel(uint4* out, std::size_t count, uint4* scratch) {
  const std::size_t first = global_thread() / Group::lanes * affine_run;
  if (first >= count) return;
  const std::size_t end = first + affine_run < count ? first + affine_run : count;
  const Xyzz<Group> g = generator<Group>();
  Xyzz<Group> point = infinity<Group>();
  for (int bit = 31; bit >= 0; --bit) {
    const Xyzz<Group> same = point;
    add_point(point, same);
    if (((first + 1) >> bit & 1) != 0) add_point(point, g);
  }
  const auto next = [&](std::size_t) {
    const Xyzz<Group> now = point;
    add_point(point, g);
    return now;
  };
  write_affine<Group>(first, end, next, scratch, [out](std::size_t i) { return out + i * affine_words<Group>; });
}

template <class Group>
Status run(uint4* out, std::size_t count, uint4* scratch, Stream stream) {
  const std::size_t workers = (count + affine_run - 1) / affine_run * Group::lanes;
  return launch("multiples of the generator", multiples_kernel<Group>, {blocks_for(workers, threads), threads}, stream,
                out, count, scratch);
}

__global__ void weighted_kernel(const Fr* scalars, std::size_t count, Fr* parts, unsigned part_count) {
  const std::size_t part = global_thread();
  if (part >= part_count) return;
  // sum (i + 1) s_i over i = part, part + part_count, …: by the ramp of suffix sums.
  const std::size_t terms = (count - part + part_count - 1) / part_count;
  Fr plain = fr_zero(), ramp = fr_zero();
  for (std::size_t k = terms; k-- > 0;) {
    ramp = ramp + plain;
    plain = plain + ntt::load_data(scalars + part + k * part_count);
  }
  // weights are part + 1 + k part_count
  const auto times = [](Fr a, u64 n) {
    Fr out = fr_zero();
    for (; n != 0; n >>= 1) {
      if (n & 1) out = out + a;
      a = a + a;
    }
    return out;
  };
  ntt::store(parts + part, times(plain, part + 1) + times(ramp, part_count));
}

}  // namespace

Status fill_multiples(Curve curve, void* out, std::size_t count, Arena& arena, Stream stream) {
  const ArenaScope scope(arena);
  std::byte* scratch = nullptr;
  PINION_TRY(arena.take(scratch, count * affine_bytes(curve) / 2 * 3, "multiples of the generator"));
  uint4* const points = static_cast<uint4*>(out);
  uint4* const words = reinterpret_cast<uint4*>(scratch);
  return curve == Curve::g1 ? run<G1>(points, count, words, stream) : run<G2>(points, count, words, stream);
}

Status weighted_sum(const Fr* scalars, std::size_t count, Fr* parts, Stream stream) {
  const unsigned part_count = count < evaluation_parts ? static_cast<unsigned>(count) : evaluation_parts;
  return launch("a weighted sum", weighted_kernel, {blocks_for(part_count, 64), 64}, stream, scalars, count, parts,
                part_count);
}

}  // namespace pinion::cuda::check
