// The plugin: pinion.proof/1 for PoRep, its shapes as residents, its parameter files and its sample.
#include <pinion/groth16.h>

#include <pinion/plugin.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/key_files.hpp>
#include <pinion/porep/kinds.hpp>
#include <pinion/porep/porep_request.hpp>
#include <pinion/porep/porep_session.hpp>
#include <pinion/porep/sample_data.hpp>
#include <pinion/porep/shape_residents.hpp>
#include <pinion/porep/verifying_keys.hpp>

namespace pinion::filecoin {
namespace {

class PorepPlugin final : public Proof, public ResidentTable, public Keys, public Samples {
 public:
  PorepPlugin(Host host, const Options&) : host_(host), hashes_(porep_hashes()) {
    sample_.size = sizeof sample_;
    sample_.part_count = 1;
    sample_.field_count = static_cast<std::uint32_t>(sample_fields_.size());
    sample_.title = "a really sealed 2 KiB sector";
    sample_.kind = &kinds_.kind(SectorSize::k2KiB);
    sample_.parts = &sample_part_;
    sample_.fields = sample_fields_.data();
  }

  std::span<const pinion_kind* const> kinds() const noexcept override { return kinds_.all(); }

  std::unique_ptr<Session> open(const pinion_request& request, Call& call) override {
    const Span span(call, "parse");
    PorepRequest parsed = read_request(request, hashes_);
    const SectorSize size = parsed.c1.proof.size();
    if (!parsed.identified)
      host_.warn("this PoRep request names no miner and sector: its replica_id is taken from the C1 as it stands");
    FoundKey key = find_verifying_key(request.params_dir, kinds_.files(size), circuit_facts(size).counts.inputs,
                                      (request.flags & PINION_REQUEST_TEST_KEYS) != 0);
    if (!key.published)
      host_.warn(key.path + ": not the published key (digest " + key.digest + "): proofs made with it are for tests");
    return std::make_unique<PorepSession>(std::move(parsed), kinds_, hashes_, std::move(key), request.params_dir);
  }

  std::span<const char* const> resident_formats() const noexcept override { return resident_formats_; }
  pinion_resident_info describe_resident(const pinion_resource& resource, std::int32_t device) override {
    return describe_shape(resource, device);
  }
  std::unique_ptr<Resident> load_resident(const pinion_resource& resource, std::int32_t device,
                                          std::span<const std::uint8_t> source, const pinion_buffer* buffer,
                                          Call& call) override {
    return load_shape(resource, device, source, buffer, hashes_, call);
  }

  void generate_keys(const pinion_kind& kind, const std::string& dir, const char* toxic_label, Call& call,
                     const FactSink& facts) override {
    const SectorSize size = kinds_.size_of(kind);
    generate_key_files(size, kinds_.files(size), dir, toxic_label, hashes_, call, facts);
  }
  void check_keys(const pinion_kind& kind, const std::string& dir, Call& call, const FactSink& facts) override {
    const SectorSize size = kinds_.size_of(kind);
    check_key_files(size, kinds_.files(size), dir, call, facts);
  }
  void describe_keys(const std::string& file, const FactSink& facts) override { describe_key_file(file, facts); }

  std::span<const pinion_sample* const> samples() const noexcept override { return {&sample_pointer_, 1}; }
  void fake(const pinion_kind& kind, std::uint64_t, const std::string&, Call&) override {
    throw Error(PINION_UNSUPPORTED, std::string(kind.id) +
                                        ": this version makes no inputs of its own; seal a sector, or "
                                        "prove the sample that ships with it (`pinion demo`)");
  }

 private:
  static constexpr std::array<const char*, 1> resident_formats_{PINION_SHAPE_R1CS};

  Host host_;
  const circuit::PoseidonSet hashes_;
  const KindTable kinds_;
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
