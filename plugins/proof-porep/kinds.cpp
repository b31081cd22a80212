#include <pinion/groth16.h>

#include <pinion/plugin/error.hpp>
#include <pinion/porep/c1.hpp>
#include <pinion/porep/circuit_facts.hpp>
#include <pinion/porep/kinds.hpp>

namespace pinion::filecoin {
namespace {

// In order of preference: a packed witness is 80 MB where evaluations are 17 GB.
constexpr std::array<const char*, 2> formats{PINION_JOB_GROTH16_WITNESS, PINION_JOB_GROTH16_EVALUATIONS};
// "2k", "8m", "512m", "32g", "64g"
constexpr std::array<const char*, 5> short_sizes{"2k", "8m", "512m", "32g", "64g"};
constexpr std::uint32_t wire_kind_seal_commit = 1;

}  // namespace

std::string kind_id(SectorSize size) {
  return std::string("porep-") + short_sizes[index_of(size)];
}

KindTable::KindTable() {
  for (const SectorSize size : sector_sizes) {
    Row& row = rows_[index_of(size)];
    const CircuitFacts& facts = circuit_facts(size);
    row.files = parameter_files(ParameterFamily::Porep, size);
    row.id = kind_id(size);
    row.title = std::string("PoRep of ").append(sector_name(size)).append(" sectors");
    row.wire_circuit = size >= SectorSize::k32GiB ? row.id : "";  // the only ones that service has names for
    row.params_name = row.files.params();
    row.vk_name = row.files.vk();
    row.c_files = {pinion_kind_file{row.params_name.c_str(), row.files.params_digest.c_str(), facts.params_bytes()},
                   pinion_kind_file{row.vk_name.c_str(), row.files.vk_digest.c_str(),
                                    groth16::VerifyingKey::encoded_bytes(facts.counts.inputs)}};
    pinion_kind& kind = row.kind;
    kind.size = sizeof kind;
    kind.format_count = formats.size();
    kind.file_count = static_cast<std::uint32_t>(row.c_files.size());
    kind.priority = PINION_PRIORITY_NORMAL;
    kind.id = row.id.c_str();
    kind.family = "porep";
    kind.title = row.title.c_str();
    kind.sector_bytes = sector_bytes(size);
    kind.formats = formats.data();
    kind.files = row.c_files.data();
    kind.wire_label = "porep_c2";
    kind.wire_circuit = row.wire_circuit.c_str();
    kind.wire_kind = wire_kind_seal_commit;
    kind.parse_percent = read_c1_percent;
    pointers_[index_of(size)] = &kind;
  }
}

SectorSize KindTable::size_of(const pinion_kind& kind) const {
  for (const SectorSize size : sector_sizes)
    if (rows_[index_of(size)].id == kind.id) return size;
  throw Error(PINION_INVALID_INPUT, std::string("kind ") + kind.id + " is none of this plugin's");
}

}  // namespace pinion::filecoin
