// The kinds this plugin proves, as the host's tables want them: one per sector size, for all variants of PoRep (they
// share circuit and keys).
#pragma once

#include <pinion/proof.h>

#include <array>
#include <cstdint>
#include <pinion/filecoin/parameters.hpp>
#include <pinion/filecoin/sector.hpp>
#include <span>
#include <string>

namespace pinion::filecoin {

// "porep-2k" … "porep-64g"
std::string kind_id(SectorSize size);

// Owns the texts that the C structs point to, so it stays where it was made. Immutable. [any]
class KindTable {
 public:
  KindTable();
  KindTable(const KindTable&) = delete;
  KindTable& operator=(const KindTable&) = delete;

  std::span<const pinion_kind* const> all() const { return pointers_; }
  const pinion_kind& kind(SectorSize size) const { return rows_[index_of(size)].kind; }
  const ParameterFiles& files(SectorSize size) const { return rows_[index_of(size)].files; }
  // Throws INVALID_INPUT when `kind` is none of these.
  SectorSize size_of(const pinion_kind& kind) const;

 private:
  struct Row {
    ParameterFiles files;
    std::string id, title, wire_circuit, params_name, vk_name;
    std::array<pinion_kind_file, 2> c_files{};
    pinion_kind kind{};
  };
  std::array<Row, sector_sizes.size()> rows_;
  std::array<const pinion_kind*, sector_sizes.size()> pointers_{};
};

}  // namespace pinion::filecoin
