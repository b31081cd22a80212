#include <catch2/catch.hpp>
#include <pinion/test_porep/witness_checks.hpp>

TEST_CASE("witnesses of production sectors are the reference's, value by value") {
  for (const auto& c : pinion::filecoin::test::full_size_cases()) pinion::test::check_witnesses(c);
}
