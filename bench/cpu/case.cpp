#include "case.hpp"

#include <nlohmann/json.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/kinds.hpp>
#include <pinion/porep/porep_request.hpp>
#include <pinion/porep/porep_statement.hpp>
#include <pinion/post/kinds.hpp>
#include <pinion/post/statement.hpp>
#include <pinion/snap/kinds.hpp>
#include <pinion/snap/statement.hpp>
#include <pinion/test/vectors.hpp>

namespace pinion::bench {

namespace fs = std::filesystem;
using namespace filecoin;

namespace {

struct Part {
  std::string name;
  test::Bytes bytes;
};

std::vector<Part> read_parts(const fs::path& folder, const std::string& family) {
  std::vector<Part> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    // The facts of a PoRep case stand in its C1.
    const bool wanted = family == "porep" ? name == "c1.json" : name == "meta.json" || name.ends_with(".bin");
    if (wanted) out.push_back({name, test::read_file(entry.path())});
  }
  return out;
}

ProofKind kind_of(std::vector<ProofKind> kinds, std::string_view family, SectorSize size) {
  for (ProofKind& kind : kinds)
    if (kind.family == family && kind.size == size) return std::move(kind);
  throw std::runtime_error("no kind of family " + std::string(family));
}

ProofCase open(const pinion_request& request, std::string_view family) {
  if (family == "porep") {
    auto hashes = std::make_shared<const circuit::PoseidonSet>(porep_hashes());
    PorepRequest parsed = read_request(request, *hashes);
    ProofKind kind = kind_of(porep_kinds(hashes), family, parsed.c1.proof.size());
    return {std::move(kind), std::make_unique<PorepStatement>(std::move(parsed), hashes)};
  }
  if (family == "snap") {
    auto hashes = std::make_shared<const UpdateHashes>();
    SnapRequest parsed = read_snap_request(request, *hashes);
    ProofKind kind = kind_of(snap_kinds(hashes), family, parsed.size);
    return {std::move(kind), std::make_unique<SnapStatement>(std::move(parsed), hashes)};
  }
  auto hashes = std::make_shared<const circuit::PoseidonSet>(post_hashes());
  PostRequest parsed =
      family == "winning" ? read_winning_request(request, *hashes) : read_window_request(request, *hashes);
  ProofKind kind = kind_of(post_kinds(hashes), family, parsed.size);
  return {std::move(kind), std::make_unique<PostStatement>(std::move(parsed), hashes)};
}

}  // namespace

ProofCase read_case(const fs::path& folder) {
  const auto family = test::read_json(folder / "meta.json").at("kind").get<std::string>();
  const std::vector<Part> parts = read_parts(folder, family);
  std::vector<pinion_part> borrowed;
  for (const Part& part : parts) borrowed.push_back({part.name.c_str(), {part.bytes.data(), part.bytes.size()}});
  pinion_request request{};
  request.size = sizeof request;
  request.family = family.c_str();
  request.params_dir = "";
  request.parts = borrowed.data();
  request.part_count = static_cast<std::uint32_t>(borrowed.size());
  return open(request, family);
}

ProofKind find_kind(std::string_view family, std::string_view size) {
  const auto hashes = std::make_shared<const circuit::PoseidonSet>(circuit::PoseidonSet{2, 8, 11});
  for (auto& kinds : {porep_kinds(hashes), snap_kinds(std::make_shared<const UpdateHashes>()), post_kinds(hashes)})
    for (const ProofKind& kind : kinds)
      if (kind.family == family && sector_name(kind.size) == size) return kind;
  throw std::runtime_error("no kind " + std::string(family) + " of " + std::string(size));
}

}  // namespace pinion::bench
