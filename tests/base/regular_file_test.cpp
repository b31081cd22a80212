#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <pinion/host/base/regular_file.hpp>
#include <pinion/test/vectors.hpp>

using namespace pinion::host;
using Catch::Contains;
using pinion::test::TemporaryDirectory;

TEST_CASE("a regular file is read whole, up to what is allowed") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "file";
  std::ofstream(path) << "some";
  CHECK(*read_regular_text(path, Bytes(4)) == "some");
  CHECK(*read_regular_bytes(path, mib(1)) == std::vector<std::uint8_t>{'s', 'o', 'm', 'e'});
  CHECK(read_regular_text(path, Bytes(3)).status().code() == Code::over_budget);
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  CHECK_THAT(read_regular_text(path, mib(1)).status().message(), Contains("file: has 1099511627776 bytes"));
}

TEST_CASE("only a regular file is read as one; a pipe without a writer is not waited for") {
  const TemporaryDirectory folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THAT(read_regular_text(pipe, mib(1)).status().message(), Contains("pipe: not a regular file"));
  CHECK_THAT(read_regular_text("/dev/zero", mib(1)).status().message(), Contains("/dev/zero: not a regular file"));
  CHECK_THAT(read_regular_text(folder.path() / "no", mib(1)).status().message(), Contains("no: No such file"));
  std::filesystem::create_symlink("loop", folder.path() / "loop");
  CHECK_THAT(read_regular_text(folder.path() / "loop", mib(1)).status().message(), Contains("loop: Too many levels"));
  const auto of_folder = read_regular_text(folder.path(), mib(1));
  CHECK(of_folder.status().code() == Code::invalid_input);
  CHECK_THAT(of_folder.status().message(), Contains("is a folder; a file is expected"));
}
