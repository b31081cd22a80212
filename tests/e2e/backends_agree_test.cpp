// Above 2 KiB, where the reference states no proof bytes: for the same r and s every route gives the same bytes, which
// the host has verified. Routes: the backend under test and the CPU's, each in both job formats; inputs are made up.
#include <fmt/format.h>

#include <cstdio>
#include <pinion/host/base/units.hpp>
#include <set>

#include "stated_host.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t most_partitions = 16;

// Distinct, and canonical scalars: the top byte is zero.
std::vector<std::uint8_t> scalar(std::uint32_t partition, std::uint8_t of) {
  std::vector<std::uint8_t> out(32, of);
  out[0] = static_cast<std::uint8_t>(partition + 1);
  out[31] = 0;
  return out;
}

// Those of a backend stand together: it loads a key once.
std::vector<ProvingRoute> all_routes() {
  std::vector<ProvingRoute> routes;
  for (const std::string& backend : std::set<std::string>{backend_under_test(), "backend-cpu"})
    for (const char* const format : {"witness", "evaluations"}) routes.push_back({backend, format});
  return routes;
}

std::vector<std::uint8_t> all_parts(const ProveResult& result) {
  std::vector<std::uint8_t> out;
  for (const PartResult& part : result.parts) out.insert(out.end(), part.bytes.begin(), part.bytes.end());
  return out;
}

// `partition`: only this one.
void check_family(const std::string& family, const std::string& size, std::optional<std::uint32_t> partition = {}) {
  const pinion::test::TemporaryDirectory temporary;
  const fs::path input = temporary.path() / "input";
  fs::create_directories(input);

  const auto routes = all_routes();
  TestHost host(routes);
  const auto kind = host.prover->find_kind(family, *parse_size(size));
  REQUIRE(kind);
  const fs::path keys = keys_of(*host.prover, **kind, family + "-" + size, temporary.path());
  REQUIRE(host.prover->fake(**kind, 1, {}, input, [](const auto&...) {}).ok());

  std::vector<std::uint8_t> first;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    INFO(family << " " << size << ", " << routes[i].backend << ", " << routes[i].format);
    host.prover->use(i);
    for (std::uint32_t k = 0; k < most_partitions; ++k) host.random.state(k, scalar(k, 0x5a), scalar(k, 0xa5));
    auto request = request_of(family, family == "porep" ? "c1.json" : "", input, keys);
    request.partition = partition;
    const auto result = host.prover->prove(std::move(request));
    INFO((result ? std::string() : result.status().message()));
    REQUIRE(result);
    for (const PartResult& part : result->parts) {
      CHECK(part.backend == routes[i].backend);
      CHECK_THAT(part.format, Catch::Contains(routes[i].format));
    }
    fmt::print("{} {}, {}, {}: {} of {} parts, sha256 {}, {:.1f} s\n", family, size, routes[i].backend,
               routes[i].format, result->parts.size(), result->partitions, result->sha256,
               std::chrono::duration<double>(result->elapsed).count());
    std::fflush(stdout);  // for who cuts the test off
    if (first.empty()) first = all_parts(*result);
    CHECK(pinion::test::to_hex(all_parts(*result)) == pinion::test::to_hex(first));
  }
}

}  // namespace

TEST_CASE("8MiB: both backends and both job formats give the same proofs") {
  for (const char* const family : {"winning", "window", "snap", "porep"}) check_family(family, "8MiB");
}

// Keys of this size take a machine with many cores: tests/gpu/run does it.
TEST_CASE("512MiB, proofs of spacetime: both backends and both job formats give the same proofs", "[.][post-512MiB]") {
  for (const char* const family : {"winning", "window"}) check_family(family, "512MiB");
}

TEST_CASE("512MiB, PoRep: both backends and both job formats give the same proofs", "[.][porep-512MiB]") {
  check_family("porep", "512MiB");
}

// All sixteen partitions have the same circuit.
TEST_CASE("512MiB, SnapDeals: both backends and both job formats give the same part", "[.][snap-512MiB]") {
  check_family("snap", "512MiB", 0);
}
