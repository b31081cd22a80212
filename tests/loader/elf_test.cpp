// The reader of libraries on disk: right about real ones, and safe with anything else.
#include <catch2/catch.hpp>
#include <fstream>
#include <pinion/host/plugins/elf.hpp>
#include <pinion/test/vectors.hpp>
#include <random>

using namespace pinion::host;
using Catch::Contains;

namespace {

const std::filesystem::path good = LOADER_DOUBLES "/good.so";

void write(const std::filesystem::path& path, const pinion::test::Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST_CASE("A plugin's one export is found, with its first bytes") {
  const auto elf = read_elf(good, 12);
  REQUIRE(elf.ok());
  REQUIRE(elf->exports.size() == 1);
  CHECK(elf->exports[0].name == "pinion_plugin");
  REQUIRE(elf->exports[0].data.size() == 12);
  CHECK(std::string(elf->exports[0].data.begin(), elf->exports[0].data.begin() + 4) == "PINN");
}

TEST_CASE("A library cut anywhere is refused with a reason") {
  const auto whole = pinion::test::read_file(good);
  const pinion::test::TemporaryDirectory dir;
  const auto path = dir.path() / "cut.so";
  // The section table is the last thing in a library, so no proper prefix is complete.
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 7) {
    write(path, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
    const auto elf = read_elf(path, 12);
    REQUIRE_FALSE(elf.ok());
    CHECK(elf.status().code() == Code::invalid_config);
    CHECK_THAT(elf.status().message(), Contains(path.string()));
    CHECK_THAT(elf.status().message(), length < 16 ? Contains("is not a shared library") : Contains("is cut short"));
  }
}

TEST_CASE("A library with changed bytes is read or refused, never more") {
  const auto whole = pinion::test::read_file(good);
  const pinion::test::TemporaryDirectory dir;
  const auto path = dir.path() / "changed.so";
  std::mt19937 random(7);
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    auto bytes = whole;
    // Mostly in the headers and tables, where offsets and counts are.
    for (int change = 0; change < 4; ++change) {
      const bool header = random() % 2 == 0;
      const auto at =
          header ? random() % 1024 : whole.size() - 1 - random() % std::min<std::size_t>(whole.size(), 3000);
      bytes[at] = static_cast<std::uint8_t>(random());
    }
    write(path, bytes);
    if (!read_elf(path, 64).ok()) ++refused;
  }
  CHECK(refused > 100);
}

TEST_CASE("Other files are told apart") {
  const pinion::test::TemporaryDirectory dir;
  const auto path = dir.path() / "other.so";
  const auto whole = pinion::test::read_file(good);
  SECTION("text") {
    std::ofstream(path) << "# a linker script, a README, an error page\n";
    CHECK_THAT(read_elf(path, 12).status().message(), Contains("is not a shared library: it begins with 23 20 61 20"));
  }
  SECTION("another machine") {
    auto bytes = whole;
    bytes[18] = 0xf3;  // e_machine: RISC-V
    bytes[19] = 0;
    write(path, bytes);
    CHECK_THAT(read_elf(path, 12).status().message(), Contains("is built for RISC-V") && Contains(elf_machine_here()));
  }
  SECTION("32 bits") {
    auto bytes = whole;
    bytes[4] = 1;
    write(path, bytes);
    CHECK_THAT(read_elf(path, 12).status().message(), Contains("not a 64-bit"));
  }
  SECTION("an object file") {
    auto bytes = whole;
    bytes[16] = 1;  // ET_REL
    write(path, bytes);
    CHECK_THAT(read_elf(path, 12).status().message(), Contains("ELF type 1"));
  }
  SECTION("nothing there") {
    CHECK_THAT(read_elf(path, 12).status().message(), Contains("No such file"));
  }
  SECTION("a folder") {
    CHECK_THAT(read_elf(dir.path(), 12).status().message(), Contains("is not a regular file"));
  }
}
