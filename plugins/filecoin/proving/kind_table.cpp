#include "kind_table.hpp"

#include <pinion/groth16.h>

#include <pinion/groth16/verifying_key.hpp>
#include <pinion/plugin/error.hpp>
#include <utility>

namespace pinion::filecoin {
namespace {

// In order of preference: a packed witness is 80 MB where evaluations are 17 GB.
constexpr std::array<const char*, 2> formats{PINION_JOB_GROTH16_WITNESS, PINION_JOB_GROTH16_EVALUATIONS};
constexpr std::array<const char*, 5> short_sizes{"2k", "8m", "512m", "32g", "64g"};

}  // namespace

std::string ProofKind::id() const {
  return std::string(family) + "-" + short_sizes[index_of(size)];
}

KindTable::KindTable(std::vector<ProofKind> kinds) : kinds_(std::move(kinds)) {
  for (const ProofKind& kind : kinds_) {
    Row& row = rows_.emplace_back();
    row.id = kind.id();
    row.params_name = kind.files.params();
    row.vk_name = kind.files.vk();
    row.c_files = {
        pinion_kind_file{row.params_name.c_str(), kind.files.params_digest.c_str(), kind.facts->params_bytes()},
        pinion_kind_file{row.vk_name.c_str(), kind.files.vk_digest.c_str(),
                         groth16::VerifyingKey::encoded_bytes(kind.facts->counts.inputs)}};
    row.kind = {.size = sizeof(pinion_kind),
                .format_count = formats.size(),
                .file_count = static_cast<std::uint32_t>(row.c_files.size()),
                .priority = kind.priority,
                .id = row.id.c_str(),
                .family = kind.family,
                .title = kind.title.c_str(),
                .sector_bytes = sector_bytes(kind.size),
                .formats = formats.data(),
                .files = row.c_files.data(),
                .wire_label = kind.wire_label,
                .wire_circuit = kind.wire_circuit.c_str(),
                .wire_kind = kind.wire_kind,
                .parse_percent = kind.parse_percent};
    pointers_.push_back(&row.kind);
  }
}

const ProofKind& KindTable::of(const pinion_kind& kind) const {
  for (const ProofKind& known : kinds_)
    if (known.id() == kind.id) return known;
  throw Error(PINION_INVALID_INPUT, std::string("kind ") + kind.id + " is none of this plugin's");
}

const ProofKind& KindTable::of_shape(const pinion_resource& resource) const {
  for (const ProofKind& known : kinds_)
    if (known.shape_id() == resource.id) return known;
  throw Error(PINION_INVALID_INPUT, std::string("resource \"") + resource.id + "\" is none of this plugin's shapes");
}

const ProofKind& KindTable::of(std::string_view family, SectorSize size) const {
  for (const ProofKind& known : kinds_)
    if (known.family == family && known.size == size) return known;
  throw Error(PINION_INVALID_INPUT,
              std::string("no kind of family ").append(family).append(" for sectors of ").append(sector_name(size)));
}

}  // namespace pinion::filecoin
