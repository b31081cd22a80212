// For each family at 2 KiB: `params generate` with the stated secrets gives the reference's files, and proving a really
// sealed sector with the stated r and s gives the reference's proof, in both job formats.
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "stated_host.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
using pinion::test::find_vector;
using pinion::test::from_hex;
using pinion::test::read_json;
using pinion::test::to_hex;

namespace {

namespace fs = std::filesystem;

// Of a file too large to hold.
std::string sha256_of_file(const fs::path& path) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  REQUIRE(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  std::vector<char> chunk(std::size_t{1} << 22);
  while (file) {
    file.read(chunk.data(), std::ssize(chunk));
    REQUIRE(EVP_DigestUpdate(context.get(), chunk.data(), static_cast<std::size_t>(file.gcount())) == 1);
  }
  std::array<std::uint8_t, 32> digest{};
  REQUIRE(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return to_hex(digest);
}

struct CaseUnderTest {
  std::string family;
  std::string setup;   // setup/NAME.json
  std::string folder;  // under the vectors
  std::string input;   // a file in it, or "" for the parts of the folder
  std::uint32_t partitions;
};

void check_keys(const CaseUnderTest& c, Prover& prover, const fs::path& params) {
  const auto kind = prover.find_kind(c.family, Bytes(2048));
  REQUIRE(kind);
  const Status made = prover.generate_keys(**kind, params, "toxic", [](const auto&...) {});
  INFO(made.message());
  REQUIRE(made.ok());
  const auto path = find_vector("setup/" + c.setup + ".json");
  if (!path) return;
  const auto expected = read_json(*path);
  const fs::path file = params / expected.at("file").get<std::string>();
  CHECK(sha256_of_file(file) == expected.at("params_sha256"));
  CHECK(sha256_of_file(fs::path(file).replace_extension(".vk")) == expected.at("vk_sha256"));
  CHECK(fs::exists(file.string() + ".insecure"));
  CHECK_FALSE(prover.generate_keys(**kind, params, "toxic", [](const auto&...) {}).ok());  // never overwritten
}

// An input that was made up is proved like any other.
void check_made_up(const CaseUnderTest& c, Prover& prover, const fs::path& params) {
  const auto kind = prover.find_kind(c.family, Bytes(2048));
  REQUIRE(kind);
  const pinion::test::TemporaryDirectory folder;
  const Status made = prover.fake(**kind, 1, {}, folder.path(), [](const auto&...) {});
  INFO(made.message());
  REQUIRE(made.ok());
  const auto result = prover.prove(request_of(c.family, c.input, folder.path(), params));
  INFO((result ? std::string() : result.status().message()));
  REQUIRE(result);
  CHECK(prover.verify(request_of(c.family, c.input, folder.path(), params), result->proof).ok());
}

// Evaluations are written where the device reads them, from the first proof on, and read from there: of all that a
// proof does with its memory, only writing the witness and the evaluations moves bytes; and the link, where there is
// one, which a and b cross once and c never.
void check_written_in_place(const ProveResult& result) {
  std::uint64_t written = 0, sent = 0, copied = 0;
  std::optional<unsigned> work;  // the depth of the stage of a proof that we are in
  for (const Stage& stage : result.stages) {
    if (work && stage.depth <= *work) work.reset();
    if (!work && (stage.name == "synthesize" || stage.name == "start" || stage.name == "finish")) work = stage.depth;
    if (!work) continue;
    if (stage.name == "evaluations")
      written += stage.bytes.count();
    else if (stage.name == "copy evaluations")
      sent += stage.bytes.count();
    else if (stage.name != "witness" && stage.name != "copy witness")
      copied += stage.bytes.count();
  }
  constexpr std::uint64_t vectors = 3, scalar = 32;
  CHECK(written > 0);
  CHECK(written % (vectors * scalar * result.partitions) == 0);
  CHECK((sent == 0 || sent == written / vectors * 2));
  CHECK(copied == 0);
}

void check_case(const CaseUnderTest& c) {
  INFO(c.folder);
  const auto meta = find_vector(c.folder + "/meta.json");
  if (!meta) return;
  const fs::path folder = meta->parent_path();
  const pinion::test::TemporaryDirectory params;
  std::vector<std::uint8_t> expected;
  for (const std::string format : {"witness", "evaluations"}) {
    INFO(format);
    TestHost host(format);
    if (fs::is_empty(params.path())) check_keys(c, *host.prover, params.path());
    expected.clear();
    for (std::uint32_t k = 0; k < c.partitions; ++k) {
      const auto witness = read_json(folder / ("witness-" + std::to_string(k) + ".json"));
      host.random.state(k, from_hex(witness.at("r").get<std::string>()), from_hex(witness.at("s").get<std::string>()));
      const auto part = from_hex(witness.at("proof").get<std::string>());
      expected.insert(expected.end(), part.begin(), part.end());
    }
    const auto result = host.prover->prove(request_of(c.family, c.input, folder, params.path()));
    INFO((result ? std::string() : result.status().message()));
    REQUIRE(result);
    CHECK(to_hex(result->proof) == to_hex(expected));
    if (format == "evaluations") check_written_in_place(*result);
    CHECK(host.prover->verify(request_of(c.family, c.input, folder, params.path()), expected).ok());
    if (format == "witness") check_made_up(c, *host.prover, params.path());
  }
}

}  // namespace

TEST_CASE("WinningPoSt: keys and proofs are the reference's, byte for byte") {
  check_case({"winning", "winning-2KiB", "cases/post-Winning2KiBV1-seed3", "", 1});
}

TEST_CASE("an altered opening is the input's fault, with its partition, and no device gets a strike") {
  const CaseUnderTest c{"winning", "winning-2KiB", "cases/post-Winning2KiBV1-seed3", "", 1};
  const auto meta = find_vector(c.folder + "/meta.json");
  if (!meta) return;
  const pinion::test::TemporaryDirectory params;
  TestHost host("witness");
  check_keys(c, *host.prover, params.path());
  auto request = request_of(c.family, c.input, meta->parent_path(), params.path());
  for (auto& part : request.parts)
    if (part.name == "sector-0.bin") part.bytes.at(100) ^= 1;  // in a sibling on the first path
  const auto result = host.prover->prove(std::move(request));
  CHECK(result.status().code() == Code::invalid_input);
  CHECK_THAT(result.status().message(), Catch::Contains("synthesize: partition 0: part 0 of 66: what is computed"));
}

TEST_CASE("WindowPoSt: keys and proofs of three partitions, the last one short, are the reference's") {
  check_case({"window", "window-2KiB", "cases/post-Window2KiBV1_2-seed3", "", 3});
}

TEST_CASE("SnapDeals: keys and proofs are the reference's, byte for byte") {
  check_case({"snap", "snap-2KiB", "cases/snap-2KiB-seed11", "", 1});
}

TEST_CASE("PoRep: keys and proofs are the reference's, byte for byte") {
  check_case({"porep", "porep-2KiB", "cases/porep-2KiB-V1_1-seed11", "c1.json", 1});
}
