#include <catch2/catch.hpp>
#include <pinion/host/memory/evictor.hpp>

#include "fakes.hpp"

using namespace pinion::host;

namespace {

constexpr auto kNow = TimePoint(std::chrono::hours(1));
constexpr Duration kMinIdle = std::chrono::minutes(5);

IdleSlab slab(std::uint64_t id, std::uint64_t bytes, bool wanted, int minutes_idle = 10) {
  return {SlabId(id), {Bytes(bytes), Bytes()}, kNow - std::chrono::minutes(minutes_idle), wanted};
}
IdleResident idle_resident(std::uint64_t bytes, int reload_s, int minutes_idle = 10, std::uint64_t device = 0) {
  return {nullptr,
          {Bytes(bytes), Bytes(device)},
          kNow - std::chrono::minutes(minutes_idle),
          std::chrono::seconds(reload_s)};
}
BytesBySpace host(std::uint64_t bytes) {
  return {Bytes(bytes), Bytes()};
}

}  // namespace

TEST_CASE("the evictor keeps its order", "[memory]") {
  Idle idle;
  idle.slabs = {slab(1, 10, true), slab(2, 5, false), slab(3, 8, false), slab(4, 20, true)};
  idle.residents = {idle_resident(7, 60), idle_resident(9, 5), idle_resident(11, 5, 20)};
  const auto slabs_for = [&](std::uint64_t shortfall) {
    std::vector<std::uint64_t> ids;
    for (const IdleSlab& victim : choose_victims(idle, host(shortfall), kNow, kMinIdle).slabs) {
      ids.push_back(victim.id.number());
    }
    return ids;
  };
  const auto residents_for = [&](std::uint64_t shortfall) {
    std::vector<Bytes> bytes;
    for (const IdleResident& victim : choose_victims(idle, host(shortfall), kNow, kMinIdle).residents) {
      bytes.push_back(victim.bytes[0]);
    }
    return bytes;
  };
  using Ids = std::vector<std::uint64_t>;
  using Sizes = std::vector<Bytes>;
  CHECK(slabs_for(0) == Ids{});
  CHECK(slabs_for(8) == Ids{3});
  CHECK(slabs_for(9) == Ids{3, 2});
  CHECK(residents_for(13) == Sizes{});
  CHECK(residents_for(14) == Sizes{Bytes(11)});  // cheapest; of two, the longer idle
  CHECK(residents_for(25) == Sizes{Bytes(11), Bytes(9)});
  CHECK(residents_for(34) == Sizes{Bytes(11), Bytes(9), Bytes(7)});
  CHECK(slabs_for(40) == Ids{3, 2});
  CHECK(slabs_for(41) == Ids{3, 2, 4});
  CHECK(slabs_for(61) == Ids{3, 2, 4, 1});
  CHECK(choose_victims(idle, host(70), kNow, kMinIdle).enough);
  CHECK_FALSE(choose_victims(idle, host(71), kNow, kMinIdle).enough);
}

TEST_CASE("a resident that is spared says until when", "[memory]") {
  Idle idle;
  idle.residents = {idle_resident(10, 5, 4), idle_resident(10, 5, 3)};
  const Victims victims = choose_victims(idle, host(5), kNow, kMinIdle);
  CHECK(victims.empty());
  CHECK_FALSE(victims.enough);
  REQUIRE(victims.next_time.has_value());
  CHECK(*victims.next_time == kNow + std::chrono::minutes(1));
}

TEST_CASE("what is spared goes last, and of it what critical work used", "[memory]") {
  Idle idle;
  idle.slabs = {slab(1, 10, true)};
  idle.residents = {idle_resident(10, 1, 100), idle_resident(20, 60, 3), idle_resident(30, 60, 100)};
  idle.residents[0].critical = true;  // however cheap to load again, and long idle
  const auto bytes_for = [&](std::uint64_t shortfall, Spare spare) {
    std::vector<Bytes> out;
    for (const IdleResident& victim : choose_victims(idle, host(shortfall), kNow, kMinIdle, spare).residents)
      out.push_back(victim.bytes[0]);
    return out;
  };
  using Sizes = std::vector<Bytes>;
  CHECK(bytes_for(40, Spare::yes) == Sizes{Bytes(30)});
  CHECK(bytes_for(41, Spare::yes) == Sizes{Bytes(30)});
  CHECK(bytes_for(41, Spare::no) == Sizes{Bytes(30), Bytes(20)});
  CHECK(bytes_for(61, Spare::no) == Sizes{Bytes(30), Bytes(20), Bytes(10)});
  CHECK(*choose_victims(idle, host(41), kNow, kMinIdle).next_time == kNow + std::chrono::minutes(2));
}

TEST_CASE("what helps no space that is short is left alone", "[memory]") {
  Idle idle;
  idle.slabs = {slab(1, 100, false)};
  idle.residents = {idle_resident(50, 1), idle_resident(0, 60, 10, 30)};
  const Victims victims = choose_victims(idle, {Bytes(), Bytes(20)}, kNow, kMinIdle);
  CHECK(victims.slabs.empty());
  REQUIRE(victims.residents.size() == 1);
  CHECK(victims.residents[0].bytes[1] == Bytes(30));
  CHECK(victims.enough);
}
