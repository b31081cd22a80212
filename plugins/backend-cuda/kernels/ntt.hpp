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

// Twiddles of the digits whose tables would be large, two ways: as products of two small ones, at the price of one
// multiplication an element, or whole, at 128 bytes an element (17 GB at 2^27).
enum class Twiddles { compact, full };

class Ntt {
 public:
  static constexpr unsigned max_lg_size = 28;
  // Device bytes of the tables of a domain (about 100 MB at 2^27).
  static std::size_t table_bytes(unsigned lg_size, Twiddles twiddles = Twiddles::compact);

  // Takes table_bytes from the arena and fills them; they must outlive this object's use. [worker]
  Status build(unsigned lg_size, Arena& arena, Stream stream, Twiddles twiddles = Twiddles::compact);

  unsigned lg_size() const { return lg_size_; }
  // 1 / (7^n - 1), in device memory.
  const Fr* quotient_factor() const { return quotient_factor_; }
  // data: 2^lg_size elements in device memory, Montgomery form. Enqueues and returns. [any]
  Status run(Transform transform, Fr* data, Stream stream) const;

 private:
  static constexpr unsigned max_digits = 4;
  struct Pass {  // factors w^(d * lo) * (scaling of digit d), two tables [d][lo >> low_bits], [d][lo & low_mask]
    const Fr* high = nullptr;  // nullptr: one table holds all
    const Fr* low = nullptr;
    unsigned low_bits = 0;
  };
  struct Tables {
    const Fr* roots = nullptr;              // of unity of order 2^9 (2^11 for one block)
    std::array<Pass, max_digits> passes{};  // of all digits but the last
    const Fr* last_digit = nullptr;         // scaling of the last digit; nullptr: none
  };
  enum Kind { forward, coset_forward, inverse, coset_inverse, kinds };
  struct Builder;

  Status run_small(Kind kind, Fr* data, Stream stream) const;

  unsigned lg_size_ = 0;
  const Fr* quotient_factor_ = nullptr;
  std::array<Tables, kinds> tables_{};
};

// out[i] = a[i] * b[i]; out may be a or b. [any]
Status multiply(Fr* out, const Fr* a, const Fr* b, std::size_t count, Stream stream);

}  // namespace pinion::cuda
