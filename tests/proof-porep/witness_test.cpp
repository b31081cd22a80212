#include <catch2/catch.hpp>
#include <pinion/test_porep/witness_checks.hpp>

TEST_CASE("witnesses of small sectors are the reference's, value by value") {
  for (const auto& c : pinion::filecoin::test::small_cases()) pinion::test::check_witnesses(c);
}

TEST_CASE("witnesses over the tree shapes of large sectors are the reference's") {
  for (const auto& c : pinion::filecoin::test::toy_cases()) pinion::test::check_witnesses(c);
}
