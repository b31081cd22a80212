#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/files.hpp>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/result.hpp>
#include <pinion/host/cli/status_file.hpp>
#include <pinion/test/vectors.hpp>
#include <sstream>
#include <string>
#include <thread>

using namespace pinion::host;
using namespace pinion::host::cli;
using Catch::Contains;
using pinion::test::TemporaryDirectory;

namespace {
void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::vector<std::uint8_t> vector_of(const std::string& text) {
  return {text.begin(), text.end()};
}
}  // namespace

TEST_CASE("an input is a file under its own name, or a folder's files by name") {
  const TemporaryDirectory folder;
  write(folder.path() / "b.bin", "two");
  write(folder.path() / "a.bin", "");
  std::filesystem::create_directory(folder.path() / "not-a-part");
  const auto file = read_input(folder.path() / "b.bin", mib(1));
  REQUIRE(file);
  CHECK(file->size() == 1);
  CHECK(file->at(0).name == "b.bin");
  CHECK(file->at(0).bytes == vector_of("two"));
  const auto all = read_input(folder.path(), mib(1));
  REQUIRE(all);
  REQUIRE(all->size() == 2);
  CHECK(all->at(0).name == "a.bin");
  CHECK(all->at(0).bytes.empty());
  CHECK(all->at(1).name == "b.bin");
}

TEST_CASE("an input that cannot be read is refused with its path") {
  const TemporaryDirectory folder;
  const auto message_of = [](const std::filesystem::path& path) {
    const auto input = read_input(path, mib(1));
    CHECK(input.status().code() == Code::invalid_input);
    return input.status().message();
  };
  CHECK_THAT(message_of(folder.path() / "missing"), Contains("missing: no such file or folder"));
  CHECK_THAT(message_of(folder.path()), Contains("there is no file in this folder"));
  CHECK_THAT(message_of("/dev/null"), Contains("/dev/null: neither a file nor a folder"));
}

TEST_CASE("an input larger than memory may be is refused unread, in one file or in several") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "c1.json";
  write(path, "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  const auto file = read_input(path, mib(1));
  CHECK(file.status().code() == Code::over_budget);
  CHECK_THAT(file.status().message(), Contains("c1.json: has 1099511627776 bytes, and at most 1.00 MiB"));
  CHECK(read_input(folder.path(), mib(1)).status().code() == Code::over_budget);
  std::filesystem::resize_file(path, 600);
  write(folder.path() / "more", std::string(600, 'x'));
  CHECK(read_input(folder.path(), Bytes(1200)));
  CHECK(read_input(folder.path(), Bytes(1199)).status().code() == Code::over_budget);
}

TEST_CASE("a name too long is refused before any work, the longest possible is written") {
  const TemporaryDirectory folder;
  CHECK(check_output(folder.path() / std::string(256, 'x')).code() == Code::unsupported);
  const auto longest = folder.path() / std::string(255, 'x');
  CHECK(check_output(longest).ok());
  CHECK(write_new_file(longest, vector_of("proof")).ok());
  CHECK(pinion::test::read_text(longest) == "proof");
}

TEST_CASE("fields are numbers or bytes") {
  const auto fields = parse_fields({"miner_id=1000", "randomness=0x00fF"});
  REQUIRE(fields);
  CHECK(fields->at(0).key == "miner_id");
  CHECK(fields->at(0).number == 1000);
  CHECK(fields->at(0).bytes.empty());
  CHECK(fields->at(1).bytes == std::vector<std::uint8_t>{0x00, 0xff});
  for (const auto* bad : {"", "miner_id", "=1", "miner_id=", "miner_id=-1", "miner_id=1x", "a=0x", "a=0x1", "a=0xzz",
                          "a=18446744073709551616"}) {
    const auto refused = parse_fields({bad});
    CHECK(refused.status().code() == Code::usage);
    CHECK_THAT(refused.status().message(), Contains("--field \"" + std::string(bad) + "\""));
  }
}

TEST_CASE("an output is new, whole, and in a folder that is there") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "proof.bin";
  REQUIRE(write_new_file(path, vector_of("proof")).ok());
  CHECK(pinion::test::read_text(path) == "proof");
  const auto again = write_new_file(path, vector_of("other"));
  CHECK(again.code() == Code::unsupported);
  CHECK_THAT(again.message(), Contains("nothing is overwritten"));
  CHECK(pinion::test::read_text(path) == "proof");
  CHECK_THAT(check_output(folder.path() / "no" / "proof.bin").message(), Contains("no such folder"));
  std::filesystem::create_symlink("nowhere", folder.path() / "link");
  CHECK_FALSE(check_output(folder.path() / "link").ok());
  const auto files = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  CHECK(files == 2);  // the proof and the link: nothing half-written stays
}

TEST_CASE("the status file is rewritten whole, and a failure to write is reported at the end") {
  const TemporaryDirectory folder;
  {
    int calls = 0;
    StatusFile status(folder.path() / "status.json", [&calls] { return std::to_string(++calls); });
    CHECK(status.finish().ok());
    CHECK(pinion::test::read_text(folder.path() / "status.json") == std::to_string(calls) + "\n");
  }
  StatusFile nowhere(folder.path() / "no" / "status.json", [] { return std::string("{}"); });
  CHECK_THAT(nowhere.finish().message(), Contains("cannot be written"));
}

TEST_CASE("a result is a table for people and JSON for programs") {
  ProveResult result;
  result.kind = "toy-1k";
  result.title = "Toy, 1 KiB";
  result.proof = {0x01, 0xab};
  result.sha256 = "00ff";
  result.partitions = 1;
  result.elapsed = std::chrono::seconds(2);
  using std::chrono::milliseconds;
  result.stages = {{"open", 0, 1, milliseconds(1000), milliseconds(1000), milliseconds(1000), Bytes(2048)},
                   {"parse", 1, 8, milliseconds(4000), milliseconds(400), milliseconds(500), {}},
                   {"hash", 3, 1, milliseconds(1), milliseconds(1), milliseconds(1), {}}};
  result.parts = {{0, {0x01, 0xab}, "backend-x", "backend-x device 0 (fast)", "pinion.job.toy-witness.curve/1", 1, {}}};
  result.plugins = {"backend-x 1.0.0"};
  const MemoryUse memory{mib(3), mib(1), gib(1), mib(5)};
  std::ostringstream out;
  std::ostringstream err;
  Console console(out, err, {});
  print_result(console, result, memory);
  CHECK_THAT(out.str(), Contains("Toy, 1 KiB  (toy-1k, 2.00 s)"));
  CHECK_THAT(out.str(), Contains("open            1   1.00 s   1.00 s   50 %  2.00 KiB"));
  CHECK_THAT(out.str(), Contains("  parse         8   4.00 s   400 ms   25 %\n"));
  CHECK_THAT(out.str(), Contains("proof     2 bytes, verified\nsha256    00ff\n"));
  CHECK_THAT(out.str(), Contains("made by   backend-x device 0 (fast), witness\n"));
  CHECK_THAT(out.str(), Contains("memory    3.00 MiB charged at most, 1.00 MiB of it kept for critical work, of"
                                 "\n          1.00 GiB; 5.00 MiB resident at most"));
  out.str("");
  print_results(console, std::vector(2, result), memory);
  CHECK_THAT(out.str(), Contains("open     1.00 s  1.00 s\n  parse  500 ms  500 ms\nToy, 1 KiB: 2 bytes, verified\n"));
  CHECK_THAT(out.str(), Contains("made by   backend-x device 0 (fast), witness\nplugins   backend-x 1.0.0\n"));
  const auto json = to_json(result, memory);
  CHECK(json["proof"] == "01ab");
  CHECK(json["stages"][1]["total_ms"] == 4000.0);
  CHECK(json["stages"][1]["covered_ms"] == 500.0);
  CHECK(json["memory"]["charged_max"] == 3145728);
}
