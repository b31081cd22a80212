#include <array>
#include <pinion/porep/c1.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/porep/kinds.hpp>

namespace pinion::filecoin {
namespace {

// inputs, aux, rows, {terms of A, B, C}, coefficients, patterns, pattern coefficients; bits, aux in A, variables in B
constexpr std::array<CircuitFacts, 5> known{{
    {{40, 2685673, 2687961, {6421005, 2689006, 5824682}, 1526, 427, 66996},
     2641867,
     2674908,
     685522,
     "b22efd91b21aff6d173fe69e0968b2665acb60264c70eaa5234fff0d4ca4a861"},
    {{40, 3842449, 3844969, {9388453, 3847886, 8234882}, 1526, 427, 67008},
     3730451,
     3814996,
     1011290,
     "1d88847016c5c99421f7034d1003aeffcf86a7bf453e4fb38c6a435f11130b38"},
    {{40, 4420837, 4423473, {10872177, 4427326, 9439982}, 1526, 427, 67014},
     4274743,
     4385040,
     1174174,
     "ea342dba6995d2e8e6508302ddbe40ff9a626165c7db79b6d31da47a992ed5dc"},
    {{328, 130169893, 130278869, {309405051, 130327340, 282656500}, 2466, 688, 88539},
     128470791,
     129753292,
     33112282,
     "e7954c7963284d721ea42c8df0963c7a50d64946a06394e7f1856f39e06eae7e"},
    {{328, 131076643, 131186177, {311892525, 131235764, 284512534}, 2466, 688, 88540},
     129287037,
     130637542,
     33386944,
     "7ad57665836ef601109eed1bccdf4cc4e71d97e5669fbd7ebd999cb85150eae8"},
}};

constexpr std::uint32_t wire_kind_seal_commit = 1;

}  // namespace

const CircuitFacts& porep_facts(SectorSize size) {
  return known[index_of(size)];
}

std::vector<ProofKind> porep_kinds(const std::shared_ptr<const circuit::PoseidonSet>& hashes) {
  std::vector<ProofKind> out;
  for (const SectorSize size : sector_sizes) {
    ProofKind kind{.size = size,
                   .family = "porep",
                   .title = std::string("PoRep of ").append(sector_name(size)).append(" sectors"),
                   .files = parameter_files(ParameterFamily::Porep, size),
                   .facts = &porep_facts(size),
                   .record =
                       [size, hashes](Executor& executor) {
                         return record_porep(SealProof(size, SealProof::Variant::V1).setup(), *hashes, executor);
                       },
                   .equal_parts = SealProof(size, SealProof::Variant::V1).setup().challenges_per_partition,
                   .priority = PINION_PRIORITY_NORMAL,
                   .parse_percent = read_c1_percent,
                   .wire_kind = wire_kind_seal_commit,
                   .wire_label = "porep_c2",
                   .wire_circuit = ""};
    if (size >= SectorSize::k32GiB) kind.wire_circuit = kind.id();  // the only ones that service has names for
    out.push_back(std::move(kind));
  }
  return out;
}

}  // namespace pinion::filecoin
