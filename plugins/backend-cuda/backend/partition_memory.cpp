#include "partition_memory.hpp"

#include <algorithm>

namespace pinion::backend_cuda {

using cuda::Arena;
using cuda::Curve;

namespace {

constexpr std::uint64_t fr_bytes = 32;
// Scratch beyond what must be there, where it makes sums faster: all windows of a smaller key's h at once, and the
// small sums of a query beside one another.
constexpr std::uint64_t generous = std::uint64_t{8} << 30;

std::uint64_t domain_of(const groth16::KeyCounts& n) {
  return std::uint64_t{n.h} + 1;
}

// What a sum of up to `size` multiples needs. A smaller sum can need a little more than a larger one (the lengths of
// its tasks jump), by less than this margin.
std::uint64_t multiples_bytes(Curve curve, std::uint64_t size) {
  const std::uint64_t least = cuda::msm_least_bytes(curve, std::max<std::uint64_t>(size, 1));
  return least + least / 16 + (std::uint64_t{1} << 16);
}

// A query of `size` points among `aux` variables: first the ones, then the rest; either may be nearly all.
std::uint64_t query_bytes(Curve curve, std::uint64_t size, std::uint32_t aux) {
  const std::uint64_t points = Arena::padded(size * sizeof(std::uint32_t));
  const std::uint64_t ones = Arena::padded(sizeof(std::uint32_t)) + cuda::sum_of_points_bytes(curve, size);
  const std::uint64_t rest = Arena::padded(size * fr_bytes) + multiples_bytes(curve, size);
  return points + cuda::list_bytes(aux) + std::max(ones, rest);
}

}  // namespace

std::uint64_t PartitionMemory::bytes(const groth16::KeyCounts& n) {
  const std::uint64_t words = (std::uint64_t{n.l} + 63) / 64;
  const std::uint64_t vector = Arena::padded(domain_of(n) * fr_bytes);
  const std::uint64_t kept = Arena::padded(sum_count * result_bytes) + 2 * Arena::padded(n.ic * fr_bytes) +
                             2 * Arena::padded(words * sizeof(std::uint64_t)) +
                             Arena::padded(term_count_words * sizeof(std::uint32_t)) + Arena::padded(n.l * fr_bytes) +
                             2 * vector;
  const std::uint64_t over_h = multiples_bytes(Curve::g1, domain_of(n));
  const std::uint64_t helps_h = std::min<std::uint64_t>(cuda::msm_most_bytes(Curve::g1, domain_of(n)), generous);
  const std::uint64_t scratch =
      std::max({vector, over_h > vector ? over_h - vector : 0, helps_h > vector ? helps_h - vector : 0,
                query_bytes(Curve::g1, std::max(n.l, n.a), n.l), query_bytes(Curve::g1, n.b, n.l),
                query_bytes(Curve::g2, n.b, n.l)});
  return kept + scratch;
}

std::uint64_t PartitionMemory::rest_bytes(Curve curve, std::uint64_t size, std::uint32_t aux) {
  return Arena::padded(size * sizeof(std::uint32_t)) + Arena::padded(size * fr_bytes) + cuda::list_bytes(aux) +
         cuda::msm_most_bytes(curve, size);
}

cuda::Status PartitionMemory::take(Arena& arena, const groth16::KeyCounts& n) {
  const std::size_t words = (std::size_t{n.l} + 63) / 64;
  const auto fr = [&arena](cuda::Fr*& out, std::size_t count, const char* what) {
    std::byte* bytes = nullptr;
    PINION_TRY(arena.take(bytes, count * fr_bytes, what));
    out = reinterpret_cast<cuda::Fr*>(bytes);
    return cuda::Status{};
  };
  PINION_TRY(arena.take(results, sum_count * result_bytes, "the results"));
  PINION_TRY(fr(inputs, n.ic, "the inputs"));
  PINION_TRY(fr(b_inputs, n.ic, "the inputs"));
  PINION_TRY(arena.take(bits, words, "the bits"));
  PINION_TRY(arena.take(classes, words, "the classes of the witness"));
  PINION_TRY(arena.take(term_counts, term_count_words, "the classes of the witness"));
  PINION_TRY(fr(scalars, n.l, "the scalars"));
  PINION_TRY(fr(a, domain_of(n), "the vector a"));
  before_b = arena.used();
  return fr(b, domain_of(n), "the vector b");
}

}  // namespace pinion::backend_cuda
