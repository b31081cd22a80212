// Key files are tens of gigabytes: what is done with one is done in one reading.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <pinion/groth16/params.hpp>
#include <pinion/test/thread_executor.hpp>
#include <sstream>

#include "small_system.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::test;

namespace {

// Bytes that this process has read from files so far, this look at them left out.
std::uint64_t bytes_read() {
  static std::uint64_t looks = 0;
  std::ifstream in("/proc/self/io");
  std::string name, text{std::istreambuf_iterator<char>(in), {}};
  std::istringstream fields(text);
  std::uint64_t rchar = 0;
  fields >> name >> rchar;
  const std::uint64_t without = rchar - looks;
  looks += text.size();
  return without;
}

}  // namespace

TEST_CASE("a key is checked and its digest taken in one reading") {
  const SmallSystem system(small_system_names[0]);
  const auto file = File::open(system.params.string());
  REQUIRE(file);
  const auto layout = ParamsLayout::read(*file);
  REQUIRE(layout);
  ThreadExecutor threads(3);
  const std::string expected = file_digest(system.params.string(), threads).value();
  const std::uint64_t before = bytes_read();
  FileDigest digest(*file);
  REQUIRE(check_queries(*file, *layout, bls::Check::subgroup, digest, threads));
  CHECK(digest.finish(threads).value() == expected);
  CHECK(bytes_read() - before == file->size());
}
