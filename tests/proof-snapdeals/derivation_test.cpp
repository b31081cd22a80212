#include <pinion/snap/derivation.hpp>
#include <pinion/test_filecoin/derive.hpp>

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using pinion::bls::Fr;

namespace {

Fr scalar(const Json& hex) {
  return Fr::from_bytes(bytes32(hex)).value();
}

}  // namespace

TEST_CASE("SnapDeals numbers and derivations are the reference's at every size") {
  const auto snap = derive_section("snap");
  if (!snap) return;
  for (const Json& row : snap->at("by_size")) {
    const UpdateSetup setup = UpdateSetup::of(sector_size(row.at("sector")));
    CAPTURE(row.at("sector"));
    CHECK(setup.nodes == row.at("nodes"));
    CHECK(setup.partitions == row.at("partitions"));
    CHECK(setup.challenges == row.at("challenges"));
    CHECK(setup.apex_leaves == row.at("apex_leaves"));
    CHECK(setup.h() == row.at("h"));
    CHECK(setup.h_select() == row.at("h_select"));
    const auto hs = setup.hs();
    CHECK(numbers(row.at("hs")) == std::vector<std::uint64_t>(hs.begin(), hs.end()));

    const UpdateDerivation derivation(setup);
    const UpdateStatement statement{scalar(row.at("comm_r_old")), scalar(row.at("comm_d_new")),
                                    scalar(row.at("comm_r_new"))};
    const Fr phi = derivation.phi(statement);
    CHECK(to_hex(phi.to_bytes()) == row.at("phi"));
    for (const Json& partition : row.at("by_partition")) {
      const unsigned k = partition.at("k");
      CHECK(derivation.challenges(statement.comm_r_new, k) == numbers(partition.at("challenges")));
      const auto inputs = derivation.public_inputs(statement, k);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        CHECK(to_hex(inputs[i].to_bytes()) == partition.at("public_inputs")[i]);
      for (const Json& rho : partition.at("rho"))
        CHECK(to_hex(derivation.rho(phi, number(rho.at("challenge"))).to_bytes()) == rho.at("rho"));
    }
  }
}
