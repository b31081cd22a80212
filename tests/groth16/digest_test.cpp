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
