// The grammar of sizes and durations.
#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <pinion/host/base/units.hpp>

using namespace pinion::host;
using std::chrono::milliseconds;

TEST_CASE("sizes that are understood", "[base][units]") {
  for (const auto& [text, bytes] : std::initializer_list<std::pair<const char*, std::uint64_t>>{
           {"0", 0},
           {"0GiB", 0},
           {"1B", 1},
           {"5GiB", 5ULL << 30},
           {"1.5GiB", 3ULL << 29},
           {"0.1KiB", 102},
           {"2TiB", 2ULL << 40},
           {"64KiB", 65536},
           {"10MB", 10'000'000},
           {"2GB", 2'000'000'000},
           {"1TB", 1'000'000'000'000},
           {"3KB", 3000},
           {"18446744073709551615B", UINT64_MAX},
           {"16777215.999999TiB", 18446744073708452104ULL},
       }) {
    const Result<Bytes> parsed = parse_size(text);
    INFO(text);
    REQUIRE(parsed.ok());
    CHECK(parsed->count() == bytes);
  }
}

TEST_CASE("sizes that are refused, with the spelling meant", "[base][units]") {
  for (const auto& [text, hint] : std::initializer_list<std::pair<const char*, const char*>>{
           {"16Gib", "did you mean \"16GiB\"?"},
           {"16gib", "\"16GiB\"?"},
           {"16G", "\"16GiB\"?"},
           {"16 GiB", "\"16GiB\"?"},
           {" 16GiB", "\"16GiB\"?"},
           {"512mb", "\"512MB\"?"},
           {"16", "\"16GiB\"?"},
           {"1.5 t", "\"1.5TiB\"?"},
           {"100 bytes", "\"100B\"?"},
           {"", "expected a number and a unit"},
           {"GiB", "expected"},
           {"-1GiB", "expected"},
           {"+1GiB", "expected"},
           {"1e9B", "expected"},
           {"0x10B", "expected"},
           {"1.GiB", "expected"},
           {".5GiB", "expected"},
           {"1.1234567GiB", "expected"},
           {"1GiBGiB", "expected"},
           {"16777216TiB", "larger"},
           {"99999999999999999999B", "expected"},
       }) {
    const Result<Bytes> parsed = parse_size(text);
    INFO(text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.status().code() == Code::invalid_config);
    CHECK_THAT(parsed.status().message(), Catch::Contains(hint) && Catch::Contains(std::string("\"") + text));
  }
}

TEST_CASE("durations that are understood", "[base][units]") {
  for (const auto& [text, count] : std::initializer_list<std::pair<const char*, std::int64_t>>{
           {"0", 0},
           {"10m", 600'000},
           {"90s", 90'000},
           {"250ms", 250},
           {"24h", 86'400'000},
           {"1h30m", 5'400'000},
           {"1.5h", 5'400'000},
           {"2d", 172'800'000},
           {"1d2h3m4s5ms", 93'784'005},
       }) {
    const Result<Duration> parsed = parse_duration(text);
    INFO(text);
    REQUIRE(parsed.ok());
    CHECK(parsed->count() == count);
  }
}

TEST_CASE("durations that are refused, with the spelling meant", "[base][units]") {
  for (const auto& [text, hint] : std::initializer_list<std::pair<const char*, const char*>>{
           {"10min", "did you mean \"10m\"?"},
           {"10 m", "\"10m\"?"},
           {"10M", "\"10m\"?"},
           {"5 seconds", "\"5s\"?"},
           {"300", "\"300s\"?"},
           {"30m1h", "expected"},
           {"1m1m", "expected"},
           {"", "expected"},
           {"-5m", "expected"},
           {"m", "expected"},
           {"1h 30m", "expected"},
           {"1w", "expected"},
           {"999999999d", "longer than"},
           {"9999999999999999h", "longer than"},
       }) {
    const Result<Duration> parsed = parse_duration(text);
    INFO(text);
    REQUIRE_FALSE(parsed.ok());
    CHECK_THAT(parsed.status().message(), Catch::Contains(hint));
  }
}

TEST_CASE("the exact spelling parses back to the same value", "[base][units]") {
  CHECK(exact_text(gib(5)) == "5GiB");
  CHECK(exact_text(Bytes(1500)) == "1500B");
  CHECK(exact_text(Bytes(64'000'000'000)) == "64GB");
  CHECK(exact_text(kib(1000)) == "1000KiB");
  CHECK(exact_text(Bytes()) == "0");
  CHECK(exact_text(milliseconds(5'400'000)) == "90m");
  CHECK(exact_text(milliseconds(250)) == "250ms");
  CHECK(rc::check("any size",
                  [](std::uint64_t count) { RC_ASSERT(*parse_size(exact_text(Bytes(count))) == Bytes(count)); }));
  CHECK(rc::check("any duration", [](std::uint32_t count) {
    RC_ASSERT(*parse_duration(exact_text(milliseconds(count))) == milliseconds(count));
  }));
}

TEST_CASE("figures for people have three digits", "[base][units]") {
  CHECK(human_text(Bytes(0)) == "0 B");
  CHECK(human_text(Bytes(1023)) == "1023 B");
  CHECK(human_text(kib(1)) == "1.00 KiB");
  CHECK(human_text(Bytes(4'500'000'000)) == "4.19 GiB");
  CHECK(human_text(gib(59)) == "59.0 GiB");
  CHECK(human_text(gib(668)) == "668 GiB");
  CHECK(human_text(gib(1023)) == "1.00 TiB");
  CHECK(human_text(std::chrono::nanoseconds(1500)) == "1.50 us");
  CHECK(human_text(std::chrono::milliseconds(250)) == "250 ms");
  CHECK(human_text(std::chrono::milliseconds(1250)) == "1.25 s");
  CHECK(human_text(std::chrono::seconds(200)) == "3 min 20 s");
  CHECK(human_text(std::chrono::seconds(7260)) == "2 h 1 min");
}
