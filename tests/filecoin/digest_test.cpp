#include <catch2/catch.hpp>
#include <pinion/filecoin/chacha8.hpp>
#include <pinion/filecoin/digest.hpp>
#include <string>
#include <vector>

using namespace pinion::filecoin;

TEST_CASE("SHA-256 and Blake2b of parts are those of the concatenation (FIPS 180-2, RFC 7693 appendix A)") {
  REQUIRE(to_hex(sha256({as_bytes("a"), as_bytes("bc")})) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  REQUIRE(to_hex(blake2b_512({as_bytes("ab"), as_bytes("c")})) ==
          "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
          "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
}

TEST_CASE("ChaCha20 keystream starts at any offset (RFC 8439 appendix A.1, vectors 1 and 2)") {
  const ChaCha20 stream({}, {});
  std::vector<std::uint8_t> all(2 * 64 + 9000);
  stream.read(0, all);
  REQUIRE(to_hex(ByteView(all).first(16)) == "76b8e0ada0f13d90405d6ae55386bd28");
  REQUIRE(to_hex(ByteView(all).subspan(64, 16)) == "9f07e7be5551387a98ba977c732d080d");
  for (const std::uint64_t offset : {1U, 31U, 63U, 64U, 65U, 4096U, 5000U}) {
    std::vector<std::uint8_t> part(97);
    stream.read(offset, part);
    REQUIRE(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(offset)));
  }
}

TEST_CASE("ChaCha8 keystream of the zero key (draft-strombergson-chacha-test-vectors, TC1)") {
  ChaCha8Rng rng(Bytes32{});
  std::vector<std::uint8_t> stream;
  for (int i = 0; i < 16; ++i) {
    const auto word = little_endian<8>(rng.next_u64());
    stream.insert(stream.end(), word.begin(), word.end());
  }
  REQUIRE(to_hex(ByteView(stream).first(32)) == "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e");
  REQUIRE(to_hex(ByteView(stream).subspan(64, 16)) == "d2aefa0deaa5c151bf0adb6c01f2a5ad");
}
