// The plugin: WinningPoSt and WindowPoSt, and the samples that ship with it.
#include <pinion/fake/folder.hpp>
#include <pinion/filecoin_proving/embedded.hpp>
#include <pinion/filecoin_proving/plugin.hpp>
#include <pinion/filecoin_proving/samples.hpp>
#include <pinion/plugin.hpp>
#include <pinion/post/fake_options.hpp>
#include <pinion/post/kinds.hpp>
#include <pinion/post/statement.hpp>

PINION_EMBEDDED(pinion_winning_sector_0)
PINION_EMBEDDED(pinion_winning_meta)
PINION_EMBEDDED(pinion_window_sector_0)
PINION_EMBEDDED(pinion_window_sector_1)
PINION_EMBEDDED(pinion_window_sector_2)
PINION_EMBEDDED(pinion_window_sector_3)
PINION_EMBEDDED(pinion_window_sector_4)
PINION_EMBEDDED(pinion_window_meta)

namespace pinion::filecoin {
namespace {

class PostPlugin final : public ProofPlugin, public ShippedSamples {
 public:
  PostPlugin(Host host, const Options&)
      : PostPlugin(host, std::make_shared<const circuit::PoseidonSet>(post_hashes())) {}
  std::span<const pinion_option_info* const> fake_options(const pinion_kind& kind) const noexcept override {
    if (std::string_view(kind.family) == "window") return fake_window_options;
    return {};
  }
  void fake(const pinion_kind& kind, std::uint64_t seed, const Options& options, const std::string& dir, Call& call,
            const FactSink& facts) override {
    const Reservation memory(call, fake_reserve);
    const SectorSize size = table().of(kind).size;
    if (std::string_view(kind.family) == "winning") return write_fake_winning(size, seed, *hashes_, dir, call);
    write_fake_window(size, seed, options, *hashes_, dir, call, facts);
  }

 protected:
  Read read(const pinion_request& request) override {
    const bool winning = std::string_view(request.family) == "winning";
    PostRequest parsed = winning ? read_winning_request(request, *hashes_) : read_window_request(request, *hashes_);
    const ProofKind& kind = table().of(request.family, parsed.size);
    return {&kind, std::make_unique<PostStatement>(std::move(parsed), hashes_)};
  }

 private:
  PostPlugin(Host host, std::shared_ptr<const circuit::PoseidonSet> hashes)
      : ProofPlugin(host, post_kinds(hashes)), hashes_(std::move(hashes)) {
    using pinion::as_bytes;
    ship("a really sealed 2 KiB sector that won a block", table().c_kind(table().of("winning", SectorSize::k2KiB)),
         {{"sector-0.bin", as_bytes(pinion_winning_sector_0())}, {"meta.json", as_bytes(pinion_winning_meta())}});
    ship("five really sealed 2 KiB sectors, in three partitions",
         table().c_kind(table().of("window", SectorSize::k2KiB)),
         {{"sector-0.bin", as_bytes(pinion_window_sector_0())},
          {"sector-1.bin", as_bytes(pinion_window_sector_1())},
          {"sector-2.bin", as_bytes(pinion_window_sector_2())},
          {"sector-3.bin", as_bytes(pinion_window_sector_3())},
          {"sector-4.bin", as_bytes(pinion_window_sector_4())},
          {"meta.json", as_bytes(pinion_window_meta())}});
  }

  const std::shared_ptr<const circuit::PoseidonSet> hashes_;
};

}  // namespace
}  // namespace pinion::filecoin

PINION_PLUGIN(pinion::filecoin::PostPlugin, .id = PINION_PLUGIN_ID, .name = "Proofs of spacetime",
              .version = PINION_PLUGIN_VERSION, .licence = "Apache-2.0 OR MIT",
              .description =
                  "Filecoin WinningPoSt and WindowPoSt, sectors of 2 KiB to 64 GiB.\n"
                  "Input: a folder of sector-0.bin (winning), and sector-1.bin … (window), bincode.\n"
                  "Fields: registered_proof, a number; randomness, 32 bytes; optional sector_size, "
                  "sector_number, miner_id, prover_id; of window also partition_index, for one partition.")
