// The witness on the device: values of variables where bits are packed, and from them what each query adds: the points
// of bits that are one (a list), and points with scalars (a small sum of multiples).
#pragma once

#include <cstddef>
#include <cstdint>

#include "arena.hpp"
#include "status.hpp"

namespace pinion::cuda {

struct Fr;

// A bitmap as shapes hold it, in device memory: words, least significant bit first, and the ones before every 512th
// bit.
struct DeviceBitmap {
  const std::uint64_t* words = nullptr;
  const std::uint32_t* ranks = nullptr;
};

// Packed: `bits` is not null, aux that `is_bit` marks have their value there and the others lie densely in `scalars`.
// Plain: `bits` null, scalars[i] is aux i.
// Classified: plain, with the zeros and ones among the aux marked in `is_bit` (no ranks) and `bits`: as good as packed
// for sums. Montgomery form.
struct DeviceWitness {
  const Fr* inputs = nullptr;
  const std::uint64_t* bits = nullptr;
  const Fr* scalars = nullptr;
  DeviceBitmap is_bit;            // of the shape when packed
  bool scalars_are_dense = true;  // packed; else scalars[i] is aux i
  std::uint32_t num_inputs = 0, num_aux = 0;
};

// Of a plain witness: is_bit has a one where an aux is 0 or 1, bits where it is 1; ceil(num_aux / 64) words each. [any]
Status classify(const Fr* scalars, std::uint32_t num_aux, std::uint64_t* is_bit, std::uint64_t* bits, Stream stream);

// out[i] = aux i, all of them. [any]
Status expand(const DeviceWitness& witness, Fr* out, Stream stream);

// What a query takes of the aux: those in `density` (words null: all), the first of them at point `first_point`.
struct QueryAux {
  DeviceBitmap density;
  std::uint32_t first_point = 0;
};

// counts[0] += how many entries list_ones makes of this query, counts[1] += list_scalars. [any]
Status count_terms(const DeviceWitness& witness, const QueryAux& query, std::uint32_t* counts, Stream stream);

// Point numbers of the aux of the query that are bits of value one, ascending; *count (on the device) is how many.
// `list` has room for all bits of the query. A plain witness has none. [any]
Status list_ones(const DeviceWitness& witness, const QueryAux& query, std::uint32_t* list, std::uint32_t* count,
                 Arena& arena, Stream stream);
// The aux of the query that are no bits: point number and value, in order. The caller knows their number (the shape's,
// or what count_terms found) and has room. [any]
Status list_scalars(const DeviceWitness& witness, const QueryAux& query, std::uint32_t* points, Fr* values,
                    Arena& arena, Stream stream);

// What either list takes of the arena while it is made. [any]
std::size_t list_bytes(std::uint32_t num_aux);

}  // namespace pinion::cuda
