// A bincode reader under the change of each single byte of a good input.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <pinion/plugin/error.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pinion::filecoin::test {

// N of ", byte N: ". By hand: GCC 12 takes std::regex under AddressSanitizer for uninitialised.
inline std::size_t offset_in(const std::string& message) {
  const std::string_view head = ", byte ";
  const std::size_t at = message.find(head);
  REQUIRE(at != std::string::npos);
  std::size_t digits = 0;
  const std::size_t offset = std::stoul(message.substr(at + head.size()), &digits);
  REQUIRE(message.compare(at + head.size() + digits, 2, ": ") == 0);
  return offset;
}

// Sets each byte to 255 in turn. The reader accepts the result (another scalar, or a number that is free), or refuses
// it with INVALID_INPUT and an offset: that of the field the byte belongs to, unless it is two fields that do not
// agree. Returns how many it refused.
inline std::size_t check_every_byte(const std::vector<std::uint8_t>& good,
                                    const std::function<void(const std::vector<std::uint8_t>&)>& read) {
  REQUIRE_NOTHROW(read(good));
  std::size_t refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bytes = good;
    bytes[i] = 0xff;
    try {
      read(bytes);
    } catch (const Error& error) {
      ++refused;
      const std::string message = error.what();
      INFO("byte " << i << ": " << message);
      REQUIRE(error.code() == PINION_INVALID_INPUT);
      const std::size_t at = offset_in(message);
      const bool disagreement = message.find("root") != std::string::npos;
      REQUIRE((disagreement || (at <= i && i < at + 32)));
    }
  }
  return refused;
}

// Cuts the input off after every number of bytes: each is refused, and so is one byte more.
inline void check_every_length(const std::vector<std::uint8_t>& good,
                               const std::function<void(const std::vector<std::uint8_t>&)>& read) {
  for (std::size_t length = 0; length < good.size(); ++length) {
    const std::vector<std::uint8_t> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    REQUIRE_THROWS_AS(read(cut), Error);
  }
  auto longer = good;
  longer.push_back(0);
  REQUIRE_THROWS_AS(read(longer), Error);
}

}  // namespace pinion::filecoin::test
