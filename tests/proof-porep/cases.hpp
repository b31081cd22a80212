// The PoRep cases of the vectors: really sealed sectors (cases/) and unsealed ones that satisfy the circuit (fake/).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <pinion/filecoin/digest.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/test/vectors.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin::test {

struct Case {
  const char* folder;  // under the vectors
  const char* file;    // c1.json, c1.json.zst, or vanilla.json where there is no registered proof
};

inline const std::vector<Case>& small_cases() {
  static const std::vector<Case> all{
      {"cases/porep-2KiB-V1-seed12", "c1.json"},
      {"cases/porep-2KiB-V1_1-seed11", "c1.json"},
      {"cases/porep-2KiB-V1_1_Feat_SyntheticPoRep-seed12", "c1.json"},
      {"cases/porep-2KiB-V1_2_Feat_NonInteractivePoRep-seed12", "c1.json"},
      {"cases/porep-8MiB-V1_1-seed21", "c1.json"},
      {"fake/porep-2KiB-Synthetic-seed1", "c1.json"},
      {"fake/porep-2KiB-V1_1-seed1", "c1.json"},
      {"fake/porep-8MiB-V1-seed1", "c1.json"},
      {"fake/porep-512MiB-V1_1-seed1", "c1.json"},
  };
  return all;
}
// Tree shapes of 32GiB and 64GiB at toy size; no registered proof.
inline const std::vector<Case>& toy_cases() {
  static const std::vector<Case> all{
      {"fake/porep-16KiB-V1_1-seed1", "vanilla.json"},
      {"fake/porep-32KiB-V1_1-seed1", "vanilla.json"},
  };
  return all;
}
inline const std::vector<Case>& full_size_cases() {
  static const std::vector<Case> all{
      {"fake/porep-32GiB-V1_1-seed1", "c1.json.zst"},
      {"fake/porep-64GiB-V1_1-seed1", "c1.json.zst"},
  };
  return all;
}

// 16KiB has the tree shape of 32GiB, 32KiB that of 64GiB; two layers and two challenges as all small sizes.
inline PorepSetup toy_setup(const nlohmann::json& meta) {
  const bool smaller = meta.at("sector_size") == "16KiB";
  PorepSetup setup = SealProof(SectorSize::k2KiB, SealProof::Variant::V1_1).setup();
  setup.nodes = smaller ? 512 : 1024;
  setup.tree = smaller ? TreeShape{8, 8, 0} : TreeShape{8, 8, 2};
  return setup;
}

inline std::optional<nlohmann::json> meta_of(const Case& c) {
  const auto path = pinion::test::find_vector(std::string(c.folder) + "/meta.json");
  if (!path) return std::nullopt;
  return pinion::test::read_json(*path);
}
inline std::optional<pinion::test::Bytes> input_of(const Case& c) {
  const auto path = pinion::test::find_vector(std::string(c.folder) + "/" + c.file);
  if (!path) return std::nullopt;
  return pinion::test::read_file(*path);
}

inline Bytes32 bytes32_of(const nlohmann::json& hex) {
  const auto bytes = pinion::test::from_hex(hex.get<std::string>());
  Bytes32 out{};
  std::copy_n(bytes.begin(), out.size(), out.begin());
  return out;
}

}  // namespace pinion::filecoin::test
