// The plugin: SnapDeals, and the sample that ships with it.
#include <pinion/fake/folder.hpp>
#include <pinion/filecoin_proving/embedded.hpp>
#include <pinion/filecoin_proving/plugin.hpp>
#include <pinion/filecoin_proving/samples.hpp>
#include <pinion/plugin.hpp>
#include <pinion/snap/fake.hpp>
#include <pinion/snap/kinds.hpp>
#include <pinion/snap/statement.hpp>

PINION_EMBEDDED(pinion_snap_partition)
PINION_EMBEDDED(pinion_snap_meta)

namespace pinion::filecoin {
namespace {

class SnapPlugin final : public ProofPlugin, public ShippedSamples {
 public:
  SnapPlugin(Host host, const Options&) : SnapPlugin(host, std::make_shared<const UpdateHashes>()) {}
  void fake(const pinion_kind& kind, std::uint64_t seed, const Options&, const std::string& dir, Call& call,
            const FactSink&) override {
    const Reservation memory(call, fake_reserve);
    write_fake_update(table().of(kind).size, seed, *hashes_, dir, call);
  }

 protected:
  Read read(const pinion_request& request) override {
    SnapRequest parsed = read_snap_request(request, *hashes_);
    const ProofKind& kind = table().of("snap", parsed.size);
    return {&kind, std::make_unique<SnapStatement>(std::move(parsed), hashes_)};
  }

 private:
  SnapPlugin(Host host, std::shared_ptr<const UpdateHashes> hashes)
      : ProofPlugin(host, snap_kinds(hashes)), hashes_(std::move(hashes)) {
    ship("a really updated 2 KiB sector", table().c_kind(table().of("snap", SectorSize::k2KiB)),
         {{"partition-0.bin", pinion::as_bytes(pinion_snap_partition())},
          {"meta.json", pinion::as_bytes(pinion_snap_meta())}});
  }

  const std::shared_ptr<const UpdateHashes> hashes_;
};

}  // namespace
}  // namespace pinion::filecoin

PINION_PLUGIN(pinion::filecoin::SnapPlugin, .id = PINION_PLUGIN_ID, .name = "SnapDeals",
              .version = PINION_PLUGIN_VERSION, .licence = "Apache-2.0 OR MIT",
              .description =
                  "Filecoin SnapDeals (EmptySectorUpdate), sectors of 2 KiB to 64 GiB.\n"
                  "Input: a folder of partition-0.bin, partition-1.bin … (bincode).\n"
                  "Fields: registered_proof, a number; comm_r_old, comm_r_new, comm_d_new, 32 bytes each; "
                  "optional sector_size, sector_number, miner_id.")
