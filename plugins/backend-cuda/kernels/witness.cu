#include <algorithm>

#include "bitmap.cuh"
#include "ntt_tile.cuh"
#include "sort.hpp"
#include "witness.hpp"

namespace pinion::cuda {
namespace {

constexpr unsigned threads = stream_threads;

__global__ void expand_kernel(const DeviceWitness witness, Fr* out) {
  const std::size_t i = global_thread();
  if (i >= witness.num_aux) return;
  const u32 aux = static_cast<u32>(i);
  if ((witness.is_bit.words[i / 64] >> (i % 64) & 1) != 0) {
    ntt::store(out + i, (witness.bits[i / 64] >> (i % 64) & 1) != 0 ? fr_one() : fr_zero());
  } else {
    ntt::store(out + i, ntt::load_data(witness.scalars + rank_of_zero(witness.is_bit, aux)));
  }
}

PINION_DEVICE u64 valid_places(u32 num_aux, std::size_t w) {
  const u32 tail = num_aux % 64;
  return tail != 0 && w == num_aux / 64 ? (u64{1} << tail) - 1 : ~u64{0};
}

// The places of word w that a list takes.
PINION_DEVICE u64 taken(const DeviceWitness& witness, const QueryAux& query, std::size_t w, bool ones) {
  const u64 valid = valid_places(witness.num_aux, w);
  const u64 density = query.density.words != nullptr ? query.density.words[w] : ~u64{0};
  if (witness.bits == nullptr) return ones ? 0 : density & valid;
  return density & valid & (ones ? witness.bits[w] : ~witness.is_bit.words[w]);
}

// A thread makes one word of each bitmap.
__global__ void classify_kernel(const Fr* scalars, u32 num_aux, u64* is_bit, u64* bits) {
  const std::size_t w = global_thread();
  if (w * 64 >= num_aux) return;
  const Fr one = fr_one();
  u64 zeros = 0, ones = 0;
  for (unsigned i = 0; i < 64 && w * 64 + i < num_aux; ++i) {
    const Fr value = ntt::load_data(scalars + w * 64 + i);
    u32 any = 0, other = 0;
    PINION_UNROLL
    for (unsigned j = 0; j < 8; ++j) {
      any |= value.limb[j];
      other |= value.limb[j] ^ one.limb[j];
    }
    zeros |= u64{any == 0} << i;
    ones |= u64{other == 0} << i;
  }
  is_bit[w] = zeros | ones;
  bits[w] = ones;
}

__global__ void count_terms_kernel(const DeviceWitness witness, const QueryAux query, std::size_t words, u32* counts) {
  u32 ones = 0, scalars = 0;
  for (std::size_t w = global_thread(); w < words; w += global_threads()) {
    ones += static_cast<u32>(__popcll(taken(witness, query, w, true)));
    scalars += static_cast<u32>(__popcll(taken(witness, query, w, false)));
  }
  if (ones != 0) atomicAdd(counts, ones);
  if (scalars != 0) atomicAdd(counts + 1, scalars);
}

__global__ void count_kernel(const DeviceWitness witness, const QueryAux query, bool ones, u32* counts,
                             std::size_t words) {
  const std::size_t w = global_thread();
  if (w > words) return;
  counts[w] = w < words ? static_cast<u32>(__popcll(taken(witness, query, w, ones))) : 0;
}

__global__ void list_kernel(const DeviceWitness witness, const QueryAux query, bool ones, const u32* places,
                            std::size_t words, u32* points, Fr* values) {
  const std::size_t w = global_thread();
  if (w >= words) return;
  u64 left = taken(witness, query, w, ones);
  const u64 density = query.density.words != nullptr ? query.density.words[w] : ~u64{0};
  const u32 first =
      query.first_point + (query.density.words != nullptr ? rank_of_word(query.density, w) : static_cast<u32>(w * 64));
  u32 at = places[w];
  for (; left != 0; left &= left - 1, ++at) {
    const unsigned bit = static_cast<unsigned>(__ffsll(static_cast<long long>(left)) - 1);
    points[at] = first + ones_below(density, bit);
    if (values == nullptr) continue;
    const u32 aux = static_cast<u32>(w * 64) + bit;
    const u32 from = witness.bits != nullptr && witness.scalars_are_dense ? rank_of_zero(witness.is_bit, aux) : aux;
    ntt::store(values + at, ntt::load_data(witness.scalars + from));
  }
}

Status list(const DeviceWitness& witness, const QueryAux& query, bool ones, std::uint32_t* points, Fr* values,
            std::uint32_t* count, Arena& arena, Stream stream) {
  const ArenaScope scope(arena);
  const std::size_t words = (std::size_t{witness.num_aux} + 63) / 64;
  std::uint32_t *counts = nullptr, *places = nullptr;
  std::byte* scratch = nullptr;
  const std::size_t scratch_bytes = sort_scratch_bytes(words + 1);
  PINION_TRY(arena.take(counts, words + 1, "the classes of the witness"));
  PINION_TRY(arena.take(places, words + 1, "the classes of the witness"));
  PINION_TRY(arena.take(scratch, scratch_bytes, "the classes of the witness"));
  const Shape shape{blocks_for(words + 1, threads), threads};
  PINION_TRY(launch("classes of the witness", count_kernel, shape, stream, witness, query, ones, counts, words));
  PINION_TRY(prefix_sums(counts, places, words + 1, scratch, scratch_bytes, stream));
  PINION_TRY(launch("classes of the witness", list_kernel, shape, stream, witness, query, ones, places, words, points,
                    values));
  return count == nullptr ? Status{} : copy(count, places + words, sizeof(u32), stream, "classes of the witness");
}

}  // namespace

Status classify(const Fr* scalars, std::uint32_t num_aux, std::uint64_t* is_bit, std::uint64_t* bits, Stream stream) {
  return launch("classes of the witness", classify_kernel, {blocks_for((num_aux + 63) / 64, threads), threads}, stream,
                scalars, num_aux, is_bit, bits);
}

Status count_terms(const DeviceWitness& witness, const QueryAux& query, std::uint32_t* counts, Stream stream) {
  constexpr unsigned most_blocks = 1024;
  const std::size_t words = (std::size_t{witness.num_aux} + 63) / 64;
  return launch("classes of the witness", count_terms_kernel,
                {std::min(blocks_for(words, threads), most_blocks), threads}, stream, witness, query, words, counts);
}

Status expand(const DeviceWitness& witness, Fr* out, Stream stream) {
  if (witness.bits == nullptr || !witness.scalars_are_dense)
    return copy(out, witness.scalars, std::size_t{witness.num_aux} * sizeof(Fr), stream, "the witness");
  return launch("the witness", expand_kernel, {blocks_for(witness.num_aux, threads), threads}, stream, witness, out);
}

std::size_t list_bytes(std::uint32_t num_aux) {
  const std::size_t words = (std::size_t{num_aux} + 63) / 64;
  return 2 * Arena::padded((words + 1) * sizeof(std::uint32_t)) + Arena::padded(sort_scratch_bytes(words + 1));
}

Status list_ones(const DeviceWitness& witness, const QueryAux& query, std::uint32_t* list_out, std::uint32_t* count,
                 Arena& arena, Stream stream) {
  return list(witness, query, true, list_out, nullptr, count, arena, stream);
}
Status list_scalars(const DeviceWitness& witness, const QueryAux& query, std::uint32_t* points, Fr* values,
                    Arena& arena, Stream stream) {
  return list(witness, query, false, points, values, nullptr, arena, stream);
}

}  // namespace pinion::cuda
