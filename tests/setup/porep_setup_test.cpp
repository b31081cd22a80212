// The parameters of PoRep 2KiB from the stated toxic waste: every byte as the reference makes it, and read back.
#include <openssl/evp.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/groth16/setup.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test/vectors.hpp>

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::test;

namespace {

// Of a file too large to hold.
std::string sha256_of_file(const std::string& path) {
  const File file = File::open(path).value();
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  REQUIRE(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  Bytes chunk(std::size_t{1} << 22);
  for (std::uint64_t offset = 0; offset < file.size(); offset += chunk.size()) {
    const auto piece = std::span(chunk).first(std::min<std::uint64_t>(chunk.size(), file.size() - offset));
    REQUIRE(file.read_exactly(offset, piece));
    REQUIRE(EVP_DigestUpdate(context.get(), piece.data(), piece.size()) == 1);
  }
  Bytes digest(32);
  REQUIRE(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return to_hex(digest);
}

class Stopwatch {
 public:
  explicit Stopwatch(const char* what) : what_(what) {}
  ~Stopwatch() {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    std::printf("%s: %.2f s\n", what_, taken.count());
  }

 private:
  const char* what_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

TEST_CASE("PoRep 2KiB parameters are the reference's") {
  const auto vector = find_vector("setup/porep-2KiB.json");
  if (!vector) return;
  const auto expected = read_json(*vector);
  ThreadExecutor executor(2);
  const OwnedShape shape = [&] {
    const Stopwatch watch("shape");
    const auto setup = filecoin::SealProof(filecoin::SectorSize::k2KiB, filecoin::SealProof::Variant::V1).setup();
    return build(filecoin::record_porep(setup, filecoin::porep_hashes(), executor), executor);
  }();
  const TemporaryDirectory folder;
  const SetupFiles files{(folder.path() / "porep.params").string(), (folder.path() / "porep.vk").string()};
  {
    const Stopwatch watch("setup");
    REQUIRE(generate_keys(*shape, ToxicWaste::from_label("toxic"), {}, files, executor));
  }
  CHECK(sha256_of_file(files.vk) == expected["vk_sha256"].get<std::string>());
  CHECK(sha256_of_file(files.params) == expected["params_sha256"].get<std::string>());
}
