#include <array>
#include <pinion/snap/kinds.hpp>

namespace pinion::filecoin {
namespace {

// inputs, aux, rows, {terms of A, B, C}, coefficients, patterns, pattern coefficients; bits, aux in A, variables in B
constexpr std::array<CircuitFacts, 5> known{{
    {{5, 1703569, 1705044, {4030892, 1706537, 3616648}, 1516, 415, 50512},
     1677551,
     1697189,
     444404,
     "1da2f84fb60496c72dc6f001f3f062668760c4b2f77196594bc8382a2c36fb14"},
    {{5, 9998039, 10007508, {23284278, 10015181, 21302734}, 1516, 421, 50585},
     9927773,
     9981015,
     2567922,
     "e7dd11db5a41ce4285e13d32d774b44e784b6edfa58fdb937168fa51e06e556f"},
    {{5, 57401314, 57450484, {135362852, 57500527, 121971144}, 1520, 429, 50620},
     56621972,
     57212317,
     14916880,
     "83f65e0aec9b12eb06a49fa36c5ffa329ccc85b21aef7a61c8bcb119311afe5d"},
    {{5, 80978488, 81049504, {190374912, 81118127, 172187492}, 1522, 431, 50628},
     80013450,
     80743581,
     20983608,
     "319996485521cb68563228bb9f7503fa7f17a6a819f6086132097d05db6e99df"},
    {{5, 84931220, 85006106, {199699032, 85077653, 180585650}, 1522, 431, 50628},
     83911830,
     84682725,
     22012684,
     "19125abcfa77847ce75d0bbec839971b01d729ea37305e5645e9f24c1ec6677d"},
}};

constexpr std::uint32_t wire_kind_snap = 2;
// A parsed partition is about as large as its bytes.
constexpr std::uint32_t parse_percent = 250;

}  // namespace

const CircuitFacts& snap_facts(SectorSize size) {
  return known[index_of(size)];
}

std::vector<ProofKind> snap_kinds(const std::shared_ptr<const UpdateHashes>& hashes) {
  std::vector<ProofKind> out;
  for (const SectorSize size : sector_sizes) {
    ProofKind kind{
        .size = size,
        .family = "snap",
        .title = std::string("SnapDeals of ").append(sector_name(size)).append(" sectors"),
        .files = parameter_files(ParameterFamily::Update, size),
        .facts = &snap_facts(size),
        .record = [size,
                   hashes](Executor& executor) { return record_update(UpdateSetup::of(size), *hashes, executor); },
        .priority = PINION_PRIORITY_NORMAL,
        .parse_percent = parse_percent,
        .wire_kind = wire_kind_snap,
        .wire_label = "snap_update",
        .wire_circuit = ""};
    if (size >= SectorSize::k32GiB) kind.wire_circuit = kind.id();  // the only ones that service has names for
    out.push_back(std::move(kind));
  }
  return out;
}

}  // namespace pinion::filecoin
