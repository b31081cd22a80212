// The plugin: PoRep, and the sample that ships with it.
#include <pinion/filecoin_proving/embedded.hpp>
#include <pinion/filecoin_proving/plugin.hpp>
#include <pinion/filecoin_proving/samples.hpp>
#include <pinion/plugin.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/fake/options.hpp>
#include <pinion/porep/kinds.hpp>
#include <pinion/porep/porep_request.hpp>
#include <pinion/porep/porep_statement.hpp>

PINION_EMBEDDED(pinion_porep_c1)

namespace pinion::filecoin {
namespace {

class PorepPlugin final : public ProofPlugin, public ShippedSamples {
 public:
  PorepPlugin(Host host, const Options&)
      : PorepPlugin(host, std::make_shared<const circuit::PoseidonSet>(porep_hashes())) {}

  std::span<const pinion_option_info* const> fake_options(const pinion_kind&) const noexcept override {
    return fake_option_list;
  }
  void fake(const pinion_kind& kind, std::uint64_t seed, const Options& options, const std::string& dir, Call& call,
            const FactSink& facts) override {
    write_fake_seal(table().of(kind).size, seed, options, *hashes_, dir, call, facts);
  }

 protected:
  Read read(const pinion_request& request) override {
    PorepRequest parsed = read_request(request, *hashes_);
    if (!parsed.identified)
      host().warn("this PoRep request names no miner and sector: its replica_id is taken from the C1 as it stands");
    const ProofKind& kind = table().of("porep", parsed.c1.proof.size());
    return {&kind, std::make_unique<PorepStatement>(std::move(parsed), hashes_)};
  }

 private:
  PorepPlugin(Host host, std::shared_ptr<const circuit::PoseidonSet> hashes)
      : ProofPlugin(host, porep_kinds(hashes)), hashes_(std::move(hashes)) {
    ship("a really sealed 2 KiB sector", table().c_kind(table().of("porep", SectorSize::k2KiB)),
         {{"c1.json", pinion::as_bytes(pinion_porep_c1())}}, {{"miner_id", 1000, {}}, {"sector_number", 24446, {}}});
  }

  const std::shared_ptr<const circuit::PoseidonSet> hashes_;
};

}  // namespace
}  // namespace pinion::filecoin

PINION_PLUGIN(pinion::filecoin::PorepPlugin, .id = PINION_PLUGIN_ID, .name = "PoRep", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT",
              .description =
                  "Filecoin proof of replication (C2), sectors of 2 KiB to 64 GiB, all registered variants.\n"
                  "Input: the C1 output, one JSON file, or a folder with it as c1.json.\n"
                  "Fields, all optional numbers: miner_id and sector_number, sector_size, registered_proof.")
