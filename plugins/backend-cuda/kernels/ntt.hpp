// Number-theoretic transforms over Fr on the device, sizes 2^0 to 2^28, in place, with the coset shift 7 and the
// inverse scaling folded in. Sources: Cooley and Tukey 1965; Bailey, "FFTs in external or hierarchical memory" (1990).
//
// No pass reorders. A size above 2^11 is split into digits, most significant first; a transform goes from natural order
// to *permuted* order (digits of the index reversed) or back, and products of polynomials need nothing else. Who wants
// the coefficients in their order (the H query) is permuted once instead: permuted_index().
#pragma once

#include <array>
#include <cstddef>

#include "arena.hpp"
#include "status.hpp"

struct uint4;

namespace pinion::cuda {

struct Fr;

enum class Transform {
  forward_to_permuted,        // natural coefficients -> permuted evaluations
  forward_to_natural,         // permuted coefficients -> natural evaluations on the domain
  coset_forward_to_natural,   // permuted coefficients -> natural evaluations on 7 * domain
  inverse_to_permuted,        // natural evaluations -> permuted coefficients
  inverse_to_natural,         // permuted evaluations -> natural coefficients
  coset_inverse_to_permuted,  // natural evaluations on 7 * domain -> permuted coefficients
};

// The digits of a domain: how many, and the bits of each, most significant first.
struct NttDigits {
  explicit NttDigits(unsigned lg_size);
  unsigned count;
  std::array<unsigned, 4> bits{};
};

// The natural index of what stands at `position` in permuted order.
std::size_t permuted_index(unsigned lg_size, std::size_t position);

// One of `count` equal parts of a transform's first pass.
struct NttPart {
  unsigned index = 0, count = 1;
};
// The elements that a part of the first pass from natural order reads and writes, and no other part: `rows` stretches
// of `width` elements, the first from `begin` on, each `pitch` elements after the one before.
struct NttColumns {
  NttColumns(unsigned lg_size, NttPart part);
  std::size_t begin, width, pitch, rows;
};
// A count of parts that keeps the device as busy as one part does (parameters.hpp).
unsigned ntt_parts(unsigned lg_size);

class Ntt {
 public:
  static constexpr unsigned max_lg_size = 28;
  // Device bytes of the tables of a domain (about 200 MB at 2^27).
  static std::size_t table_bytes(unsigned lg_size);

  // Takes table_bytes from the arena and fills them; they must outlive this object's use. [worker]
  Status build(unsigned lg_size, Arena& arena, Stream stream);

  unsigned lg_size() const { return lg_size_; }
  // 1 / (7^n - 1), in device memory.
  const Fr* quotient_factor() const { return quotient_factor_; }
  // data: 2^lg_size elements in device memory, Montgomery form. Enqueues and returns. [any]
  Status run(Transform transform, Fr* data, Stream stream) const { return run(transform, data, stream, {}); }
  // The same with more done where elements are read and written anyway: reads a[i] * b[i] where they are not null
  // (either may be data), writes (x[i] - minus[i]) * *factor where they are not null.
  struct Around {
    const Fr *a = nullptr, *b = nullptr;
    const Fr *minus = nullptr, *factor = nullptr;
  };
  Status run(Transform transform, Fr* data, Stream stream, const Around& around) const;
  // The same in two steps, the first of them in parts and in any order: what a part reads need not be there before. A
  // part's count is a power of two, at most 2^lg_size / 2^tile_lg and 1 below that; else bad_argument.
  Status run_first(Transform transform, Fr* data, Stream stream, const Around& around, NttPart part) const;
  Status run_rest(Transform transform, Fr* data, Stream stream, const Around& around) const;

 private:
  static constexpr unsigned max_digits = 4;
  // Tables of factors, as ntt_tile.cuh lays them out. Of a digit d: w^(d * lo) * (its scaling), rows lo >> low_bits and
  // lo & (2^low_bits - 1).
  struct Pass {
    const uint4* high = nullptr;  // nullptr: one table holds all
    const uint4* low = nullptr;   // of the last digit: one row, its scaling; nullptr: none
    unsigned low_bits = 0;
  };
  struct Tables {
    const uint4* roots = nullptr;  // of a small transform
    std::array<Pass, max_digits> passes{};
  };
  enum Kind { forward, coset_forward, inverse, coset_inverse, kinds };
  struct Builder;
  Status run_pass(unsigned step, Transform transform, Fr* data, Stream stream, const Around& around,
                  NttPart part) const;

  unsigned lg_size_ = 0;
  const Fr* quotient_factor_ = nullptr;
  const uint4* rounds_ = nullptr;  // of a pass
  std::array<Tables, kinds> tables_{};
};

}  // namespace pinion::cuda
