#include <catch2/catch.hpp>
#include <chrono>

#include "case_checks.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("full-size C1 outputs read, and all public inputs are the reference's") {
  for (const Case& c : full_size_cases()) check_case(c);
}

TEST_CASE("a full-size C1 reads in well under a second") {
  const auto input = input_of(full_size_cases().front());
  if (!input) return;
  const auto start = std::chrono::steady_clock::now();
  const C1 c1 = read_c1(*input);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  REQUIRE(c1.partitions.size() == 10);
  WARN(input->size() / 1000000 << " MB in " << taken.count() << " s");
  REQUIRE(taken.count() < 1.0);
}
