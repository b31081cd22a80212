#include <catch2/catch.hpp>
#include <pinion/host/memory/borrowings.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {
const Owner kPlugin{"7", 3, "plugin-test"};
}

TEST_CASE("a plugin borrows and gives back by id", "[memory]") {
  Bench bench;
  Borrowings borrowings(bench.memory, kPlugin);
  const BorrowedBuffer buffer = *borrowings.acquire({Bytes(40), {}, {}, "scratch"});
  CHECK(buffer.data != nullptr);
  CHECK(borrowings.reserve(SpaceId::host(), Bytes(10)).ok());
  CHECK(borrowings.reserve(SpaceId::device(0), Bytes(20)).ok());
  CHECK(bench.used() == Bytes(50));
  const std::vector<HoldingStatus> held = bench.memory.holdings("7");
  REQUIRE(held.size() == 3);
  for (const HoldingStatus& holding : held) CHECK(holding.owner == kPlugin);
  CHECK(borrowings.give_back(buffer.id).ok());
  CHECK(borrowings.unreserve(SpaceId::host(), Bytes(10)).ok());
  CHECK(borrowings.unreserve(SpaceId::device(0), Bytes(20)).ok());
  CHECK(borrowings.close().empty());
  CHECK(bench.memory.holdings().empty());
}

TEST_CASE("a buffer given back twice is refused, also when its slab is lent again", "[memory]") {
  Bench bench;
  Borrowings borrowings(bench.memory, kPlugin);
  const BorrowedBuffer first = *borrowings.acquire({Bytes(40), {}, {}, "scratch"});
  CHECK(borrowings.give_back(first.id).ok());
  const BorrowedBuffer again = *borrowings.acquire({Bytes(40), {}, {}, "scratch"});
  CHECK(again.data == first.data);
  const Status twice = borrowings.give_back(first.id);
  CHECK(twice.code() == Code::internal);
  CHECK_THAT(twice.message(), Catch::Contains("plugin-test") && Catch::Contains("twice"));
  CHECK(bench.status().idle == Bytes());  // the second loan is untouched
}

TEST_CASE("what is not given back is taken back and told", "[memory]") {
  Bench bench;
  Borrowings borrowings(bench.memory, kPlugin);
  CHECK(borrowings.acquire({Bytes(40), {}, {}, "scratch"}).ok());
  CHECK(borrowings.reserve(SpaceId::host(), Bytes(10)).ok());
  const std::vector<std::string> leaks = borrowings.close();
  REQUIRE(leaks.size() == 2);
  CHECK_THAT(leaks[0], Catch::Contains("plugin-test") && Catch::Contains("40 B"));
  CHECK_THAT(leaks[1], Catch::Contains("10 B"));
  CHECK(bench.memory.holdings().empty());
  CHECK(borrowings.close().empty());
}

TEST_CASE("a plugin never waits: yes, or out_of_memory", "[memory]") {
  Bench bench;
  const Granted running = *bench.memory.claim(bytes("1", 80));
  Borrowings borrowings(bench.memory, kPlugin);
  const Result<BorrowedBuffer> refused = borrowings.acquire({Bytes(40), {}, {}, "scratch"});
  CHECK(refused.status().code() == Code::out_of_memory);
  CHECK_THAT(refused.status().message(), Catch::Contains("80 B of 100 B are used"));
  CHECK(borrowings.reserve(SpaceId::host(), Bytes(21)).code() == Code::out_of_memory);
  CHECK(bench.used() == Bytes(80));
}

TEST_CASE("reserved bytes go back in any pieces, but not more than there are", "[memory]") {
  Bench bench;
  Borrowings borrowings(bench.memory, kPlugin);
  for (std::uint64_t size : {10, 0, 20, 30}) CHECK(borrowings.reserve(SpaceId::host(), Bytes(size)).ok());
  CHECK(borrowings.unreserve(SpaceId::host(), Bytes(45)).ok());
  CHECK(bench.used() == Bytes(15));
  CHECK(borrowings.unreserve(SpaceId::host(), Bytes(16)).code() == Code::internal);
  CHECK(borrowings.unreserve(SpaceId::device(0), Bytes(1)).code() == Code::internal);
  CHECK(bench.used() == Bytes(15));
  CHECK(borrowings.unreserve(SpaceId::host(), Bytes(15)).ok());
  CHECK(bench.used() == Bytes());
}
