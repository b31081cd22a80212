#include <zstd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pinion/test/vectors.hpp>
#include <stdexcept>

using namespace pinion::test;

namespace {
void write(const std::filesystem::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Bytes compressed(const Bytes& plain) {
  Bytes out(ZSTD_compressBound(plain.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 1));
  return out;
}
}  // namespace

TEST_CASE("hexadecimal goes both ways and refuses what is not") {
  CHECK(to_hex(from_hex("00ff10Ab")) == "00ff10ab");
  CHECK_THROWS_AS(from_hex("abc"), std::invalid_argument);
  CHECK_THROWS_AS(from_hex("0g"), std::invalid_argument);
}

TEST_CASE("SHA-256 of the standard's example") {
  const Bytes abc{'a', 'b', 'c'};
  CHECK(sha256_hex(abc) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a .zst file is decompressed, a cut one is an error") {
  const TemporaryDirectory folder;
  const Bytes plain(1000000, 7);
  auto packed = compressed(plain);
  write(folder.path() / "whole.zst", packed);
  CHECK(read_file(folder.path() / "whole.zst") == plain);
  packed.resize(packed.size() / 2);
  write(folder.path() / "cut.zst", packed);
  CHECK_THROWS_WITH(read_file(folder.path() / "cut.zst"), Catch::Contains("cut.zst"));
}

TEST_CASE("broken JSON is reported with its file") {
  const TemporaryDirectory folder;
  write(folder.path() / "bad.json", {'{', '1'});
  CHECK_THROWS_WITH(read_json(folder.path() / "bad.json"), Catch::Contains("bad.json"));
}

TEST_CASE("PINION_VECTORS says where the large vectors are") {
  const TemporaryDirectory folder;
  const char* before = std::getenv("PINION_VECTORS");
  const std::string kept = before ? before : "";
  ::setenv("PINION_VECTORS", folder.path().c_str(), 1);
  write(folder.path() / "only-here.bin", {1});
  CHECK(find_vector("only-here.bin") == folder.path() / "only-here.bin");
  CHECK_FALSE(find_vector("nowhere.bin"));
  if (before) {
    ::setenv("PINION_VECTORS", kept.c_str(), 1);
  } else {
    ::unsetenv("PINION_VECTORS");
  }
}
