// The plugin: PoRep, and the sample that ships with it.
#include <pinion/filecoin_proving/plugin.hpp>
#include <pinion/plugin.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/kinds.hpp>
#include <pinion/porep/porep_request.hpp>
#include <pinion/porep/porep_statement.hpp>
#include <pinion/porep/sample_data.hpp>

namespace pinion::filecoin {
namespace {

class PorepPlugin final : public ProofPlugin, public Samples {
 public:
  PorepPlugin(Host host, const Options&)
      : PorepPlugin(host, std::make_shared<const circuit::PoseidonSet>(porep_hashes())) {}

  std::span<const pinion_sample* const> samples() const noexcept override { return {&sample_pointer_, 1}; }
  void fake(const pinion_kind& kind, std::uint64_t, const std::string&, Call&) override {
    throw Error(PINION_UNSUPPORTED, std::string(kind.id) +
                                        ": this version makes no inputs of its own; seal a sector, or "
                                        "prove the sample that ships with it (`pinion demo`)");
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
    sample_.size = sizeof sample_;
    sample_.part_count = 1;
    sample_.field_count = static_cast<std::uint32_t>(sample_fields_.size());
    sample_.title = "a really sealed 2 KiB sector";
    sample_.kind = table().c_kind(table().of("porep", SectorSize::k2KiB));
    sample_.parts = &sample_part_;
    sample_.fields = sample_fields_.data();
  }

  const std::shared_ptr<const circuit::PoseidonSet> hashes_;
  const pinion_part sample_part_{"c1.json", pinion::as_bytes(sample_c1())};
  const std::array<pinion_field, 2> sample_fields_{pinion_field{"miner_id", sample_miner_id, {}},
                                                   pinion_field{"sector_number", sample_sector_number, {}}};
  pinion_sample sample_{};
  const pinion_sample* const sample_pointer_ = &sample_;
};

}  // namespace
}  // namespace pinion::filecoin

PINION_PLUGIN(pinion::filecoin::PorepPlugin, .id = PINION_PLUGIN_ID, .name = "PoRep", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT",
              .description = "Filecoin proof of replication (C2), sectors of 2 KiB to 64 GiB, all registered variants.")
