// Laws that must hold for all values: a few dozen random ones per law.
#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <pinion/bls12_381/curve.hpp>

using namespace pinion::bls;

namespace {
Fr any_fr() {
  Limbs limbs{};
  for (auto& limb : limbs) limb = *rc::gen::arbitrary<std::uint64_t>();
  limbs[3] &= 0x3fffffffffffffff;
  return Fr::from_canonical(limbs);
}

void for_all(void (*law)()) {
  rc::detail::TestParams parameters;
  parameters.maxSuccess = 30;
  rc::detail::TestMetadata metadata;
  const auto result = rc::detail::checkTestable(law, metadata, parameters);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  INFO(text.str());
  CHECK(result.template is<rc::detail::SuccessResult>());
}

template <class Group>
void scalars_act_linearly() {
  const Fr a = any_fr(), b = any_fr();
  const Group g = Group::generator();
  RC_ASSERT(g * a + g * b == g * (a + b));
  RC_ASSERT((g * a) * b == g * (a * b));
  RC_ASSERT((g * a - g * a).is_infinity());
  RC_ASSERT((g * a).doubled() == g * a + g * a);
}
}  // namespace

TEST_CASE("Fr is a field") {
  for_all([] {
    const Fr a = any_fr(), b = any_fr(), c = any_fr();
    RC_ASSERT(a * (b + c) == a * b + a * c);
    RC_ASSERT((a * b) * c == a * (b * c));
    RC_ASSERT(a - b == -(b - a));
    RC_ASSERT(a.is_zero() || (a * a.inverse()).is_one());
    RC_ASSERT(Fr::from_bytes(a.to_bytes()).value() == a);
  });
}

TEST_CASE("scalars act linearly on G1 and G2") {
  for_all(scalars_act_linearly<G1>);
  for_all(scalars_act_linearly<G2>);
}
