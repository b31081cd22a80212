// Above 2 KiB, where the reference states no proof bytes: for the same r and s every route gives the same bytes, and
// they verify. Routes: the backend under test and the CPU's, each in both job formats; inputs are made up.
#include "stated_host.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

constexpr std::uint32_t most_partitions = 16;

// Distinct, and canonical scalars: the top byte is zero.
std::vector<std::uint8_t> scalar(std::uint32_t partition, std::uint8_t of) {
  std::vector<std::uint8_t> out(32, of);
  out[0] = static_cast<std::uint8_t>(partition + 1);
  out[31] = 0;
  return out;
}

void check_family(const std::string& family, const std::string& input, Bytes sector) {
  const pinion::test::TemporaryDirectory params, folder;
  std::vector<std::uint8_t> first;
  for (const std::string& backend : {backend_under_test(), std::string("backend-cpu")})
    for (const std::string format : {"witness", "evaluations"}) {
      INFO(family << ", " << backend << ", " << format);
      TestHost host(format, backend);
      const auto kind = host.prover->find_kind(family, sector);
      REQUIRE(kind);
      if (first.empty()) {
        REQUIRE(host.prover->generate_keys(**kind, params.path(), "toxic", [](const auto&...) {}).ok());
        REQUIRE(host.prover->fake(**kind, 1, {}, folder.path(), [](const auto&...) {}).ok());
      }
      for (std::uint32_t k = 0; k < most_partitions; ++k) host.random.state(k, scalar(k, 0x5a), scalar(k, 0xa5));
      const auto result = host.prover->prove(request_of(family, input, folder.path(), params.path()));
      INFO((result ? std::string() : result.status().message()));
      REQUIRE(result);
      if (first.empty()) first = result->proof;
      CHECK(pinion::test::to_hex(result->proof) == pinion::test::to_hex(first));
      CHECK(host.prover->verify(request_of(family, input, folder.path(), params.path()), result->proof).ok());
    }
}

void check_size(Bytes sector) {
  check_family("winning", "", sector);
  check_family("window", "", sector);
  check_family("snap", "", sector);
  check_family("porep", "c1.json", sector);
}

}  // namespace

TEST_CASE("8MiB: both backends and both job formats give the same proofs") {
  check_size(Bytes(std::uint64_t{8} << 20));
}

// Keys of this size take a machine with many cores: tests/gpu/run does it.
TEST_CASE("512MiB: both backends and both job formats give the same proofs", "[.][512MiB]") {
  check_size(Bytes(std::uint64_t{512} << 20));
}
