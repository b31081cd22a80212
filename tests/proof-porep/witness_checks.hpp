// Checks of PoRep witnesses against the digests the reference noted beside each case.
#pragma once

#include "cases.hpp"

namespace pinion::test {

// Each partition of the case that has a witness-K.json: public inputs, all variables, the vectors a, b and c, and that
// they satisfy the circuit. Rows are evaluated in blocks, so a partition needs little more than its shape.
void check_witnesses(const filecoin::test::Case& c);

}  // namespace pinion::test
