#include <catch2/catch.hpp>
#include <memory>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/base/status.hpp>

using namespace pinion::host;

TEST_CASE("sizes never wrap", "[base]") {
  const Bytes most(UINT64_MAX);
  CHECK_FALSE(checked_add(most, Bytes(1)).has_value());
  CHECK_FALSE(checked_sub(Bytes(1), Bytes(2)).has_value());
  CHECK_FALSE(checked_mul(most, 2).has_value());
  CHECK(checked_mul(most, 1) == most);
  CHECK_THROWS_AS(most + Bytes(1), BytesOverflow);
  CHECK_THROWS_AS(Bytes(1) - Bytes(2), BytesOverflow);
  CHECK_THROWS_AS(gib(1) * UINT64_MAX, BytesOverflow);
  CHECK(Bytes(2) + Bytes(3) == Bytes(5));
  CHECK(mib(1) == Bytes(1 << 20));
}

TEST_CASE("sizes round up to a step, or say that they cannot", "[base]") {
  CHECK(checked_round_up(Bytes(0), Bytes(4096)) == Bytes(0));
  CHECK(checked_round_up(Bytes(1), Bytes(4096)) == Bytes(4096));
  CHECK(checked_round_up(Bytes(4096), Bytes(4096)) == Bytes(4096));
  CHECK_FALSE(checked_round_up(Bytes(UINT64_MAX), Bytes(4096)).has_value());
}

TEST_CASE("a status says its code, its message and where", "[base]") {
  CHECK(Status().ok());
  CHECK(Status().text() == "ok");
  CHECK(Status().within("x").ok());
  const Status status = Status(Code::out_of_memory, "nothing left").within("slab");
  CHECK(status.text() == "out_of_memory: slab: nothing left");
  CHECK(status.code() == Code::out_of_memory);
  CHECK(static_cast<int>(Code::proof_invalid) == 8);  // the ABI's numbers
}

TEST_CASE("a result is a value or a status", "[base]") {
  Result<std::unique_ptr<int>> value(std::make_unique<int>(7));
  REQUIRE(value.ok());
  CHECK(**value == 7);
  CHECK(value.status().ok());
  const std::unique_ptr<int> taken = *std::move(value);
  CHECK(*taken == 7);
  const Result<int> failed(Status(Code::internal, "no"));
  CHECK_FALSE(failed);
  CHECK(failed.status().message() == "no");
  CHECK_THROWS(failed.value());
}

TEST_CASE("owners read well and compare", "[base]") {
  CHECK(Owner{}.text() == "host");
  CHECK(Owner{"7", 3, "alloc-x"}.text() == "job 7, partition 3, plugin alloc-x");
  CHECK(Owner{"7", 0, ""} != Owner{"7", std::nullopt, ""});
}

TEST_CASE("the manual clock moves only by hand", "[base]") {
  ManualClock clock;
  const TimePoint before = clock.now();
  CHECK(clock.now() == before);
  clock.advance(std::chrono::seconds(3));
  CHECK(clock.now() - before == std::chrono::seconds(3));
}
