// The host's end of a sum of multiples: from XYZZ points to sum_w 2^offset(w) S_w.
#pragma once

#include <pinion/bls12_381/curve.hpp>
#include <span>

#include "msm.hpp"

namespace pinion::cuda {

template <class Field>
struct HostXyzz {
  Field x, y, zz, zzz;

  // x / zz = (x zz) / zz^2 and y / zzz = (y zzz) / zz^3, since zz^3 = zzz^2.
  bls::Jacobian<Field> to_jacobian() const {
    bls::Jacobian<Field> out;
    out.x = x * zz;
    out.y = y * zzz;
    out.z = zz;
    return out;
  }
};

// `sums`: windows.count points, copied from MsmOutput::sums. [any]
template <class Field>
bls::Jacobian<Field> finish_msm(const Windows& windows, std::span<const HostXyzz<Field>> sums) {
  bls::Jacobian<Field> total = bls::Jacobian<Field>::infinity();
  for (unsigned w = windows.count; w-- > 0;) {
    for (unsigned bit = 0; bit < windows.width(w) && !total.is_infinity(); ++bit) total = total.doubled();
    total += sums[w].to_jacobian();
  }
  return total;
}

}  // namespace pinion::cuda
