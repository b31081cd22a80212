#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <pinion/groth16/digest.hpp>

using namespace pinion;

TEST_CASE("the digest of a file is Blake2b-512's first half of a half") {
  const auto path = (std::filesystem::temp_directory_path() / "pinion-digest-test").string();
  std::ofstream(path, std::ios::binary) << "abc";
  SerialExecutor serial;
  auto digest = groth16::file_digest(path, serial);
  REQUIRE(digest);
  CHECK(*digest == "ba80a53f981c4d0d6a2797b69f12f6e9");  // RFC 7693, appendix A
  std::remove(path.c_str());
  digest = groth16::file_digest(path, serial);
  REQUIRE_FALSE(digest);
  CHECK(digest.error().message == path + ": cannot open: No such file or directory");
  digest = groth16::file_digest("/", serial);
  REQUIRE_FALSE(digest);
  CHECK(digest.error().message == "/: not a regular file");
}

TEST_CASE("a digest taken from passing bytes is that of the file, gaps and all") {
  const auto path = (std::filesystem::temp_directory_path() / "pinion-digest-pieces-test").string();
  std::string text;
  for (unsigned i = 0; i < 100000; ++i) text += static_cast<char>(i * i % 251);
  std::ofstream(path, std::ios::binary) << text;
  SerialExecutor serial;
  const std::string whole = groth16::file_digest(path, serial).value();
  const groth16::File file = groth16::File::open(path).value();
  const auto piece = [&](std::size_t offset, std::size_t bytes) {
    return std::span(reinterpret_cast<const std::uint8_t*>(text.data()) + offset, bytes);
  };

  groth16::FileDigest digest(file);
  REQUIRE(digest.add(10, piece(10, 40000)));  // the first ten bytes, and later ones, are read from the file
  REQUIRE(digest.add(40010, piece(40010, 0)));
  REQUIRE(digest.add(60000, piece(60000, 1)));
  CHECK(digest.finish(serial).value() == whole);

  groth16::FileDigest other(file);
  REQUIRE(other.add(0, piece(1, 40000)));  // not what stands there
  CHECK(other.finish(serial).value() != whole);

  groth16::FileDigest cut(file);
  std::filesystem::resize_file(path, 50000);
  const auto short_of = cut.finish(serial);
  REQUIRE_FALSE(short_of);
  CHECK(short_of.error().code == groth16::ErrorCode::truncated);
  std::filesystem::remove(path);
}
