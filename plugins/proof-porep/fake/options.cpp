#include <fmt/format.h>

#include <array>
#include <pinion/fake/folder.hpp>
#include <pinion/porep/fake/fake.hpp>
#include <pinion/porep/fake/options.hpp>

namespace pinion::filecoin {
namespace {

constexpr pinion_option_info variant{sizeof(pinion_option_info),
                                     PINION_OPTION_TEXT,
                                     "variant",
                                     "V1_1",
                                     "Which registered proof. All variants of a size share circuit and keys.",
                                     "V1|V1_1|Synthetic|NonInteractive"};
constexpr pinion_option_info miner_id{
    sizeof(pinion_option_info), PINION_OPTION_INTEGER, "miner_id", "1000", "Whose sector it is.", nullptr};
constexpr pinion_option_info sector_number{
    sizeof(pinion_option_info), PINION_OPTION_INTEGER, "sector_number", "1", "Which of the miner's.", nullptr};
constexpr std::array<const pinion_option_info*, 3> all{&variant, &miner_id, &sector_number};

SealProof::Variant variant_of(std::string_view word) {
  if (word == "V1") return SealProof::Variant::V1;
  if (word == "Synthetic") return SealProof::Variant::Synthetic;
  if (word == "NonInteractive") return SealProof::Variant::NonInteractive;
  return SealProof::Variant::V1_1;
}

std::uint64_t number(const Options& options, std::string_view key) {
  const std::int64_t value = options.integer(key);
  if (value < 0) throw Error(PINION_INVALID_INPUT, fmt::format("option {} = {}: not negative", key, value));
  return static_cast<std::uint64_t>(value);
}

}  // namespace

const std::span<const pinion_option_info* const> fake_option_list(all);

void write_fake_seal(SectorSize size, std::uint64_t seed, const Options& options, const circuit::PoseidonSet& hashes,
                     const std::string& dir, Call& call, const FactSink& facts) {
  const SealProof proof(size, variant_of(options.text("variant")));
  const FakeIdentity identity{number(options, "miner_id"), number(options, "sector_number")};
  if (const std::string obstacle = FakeSeal::obstacle(proof); !obstacle.empty())
    throw Error(PINION_UNSUPPORTED, obstacle);
  const Reservation memory(call, fake_reserve);
  const FakeSeal seal(proof, seed, identity, hashes, call);
  NewFile c1(dir, "c1.json");
  seal.write_c1([&](std::string_view text) { c1.write(as_bytes(text)); }, call);
  MetaJson meta;
  meta.text("kind", "porep").text("registered_proof", proof.name()).number("registered_proof_number", proof.number());
  meta.number("miner_id", identity.miner_id).number("sector_number", identity.sector_number);
  write_new_file(dir, "meta.json", as_bytes(meta.finish(seed)));
  facts("registered_proof", proof.name());
  facts("miner_id", std::to_string(identity.miner_id));
  facts("sector_number", std::to_string(identity.sector_number));
}

}  // namespace pinion::filecoin
