// The kinds a proof plugin offers: each a circuit with its parameter files, and what the host's tables say of it.
#pragma once

#include <pinion/proof.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <pinion/executor.hpp>
#include <pinion/filecoin/parameters.hpp>
#include <pinion/filecoin/sector.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <span>
#include <string>
#include <vector>

#include "circuit_facts.hpp"

namespace pinion::filecoin {

struct ProofKind {
  SectorSize size;
  const char* family;  // as on the command line
  std::string title;
  ParameterFiles files;
  const CircuitFacts* facts;
  // Makes the circuit's shape. [worker]
  std::function<groth16::ShapeBuilder(Executor&)> record;
  // Of how many equal parts, each recorded once, nearly all of the circuit is.
  std::uint32_t equal_parts = 1;
  std::uint32_t priority = PINION_PRIORITY_NORMAL;
  std::uint32_t parse_percent = 0;
  // In the compatible service: number and label of the kind, and the circuit's id ("" where it has none).
  std::uint32_t wire_kind = 0;
  const char* wire_label = "";
  std::string wire_circuit;

  // "FAMILY-2k" … "FAMILY-64g"
  std::string id() const;
  // The resource that is its shape.
  std::string shape_id() const { return "shape of " + id(); }
};

// Owns the texts that the C structs point to, so it stays where it was made. Immutable. [any]
class KindTable {
 public:
  explicit KindTable(std::vector<ProofKind> kinds);
  KindTable(const KindTable&) = delete;
  KindTable& operator=(const KindTable&) = delete;

  std::span<const pinion_kind* const> all() const { return pointers_; }
  std::span<const ProofKind> kinds() const { return kinds_; }
  // Throws INVALID_INPUT when there is none such.
  const ProofKind& of(const pinion_kind& kind) const;
  const ProofKind& of_shape(const pinion_resource& resource) const;
  const ProofKind& of(std::string_view family, SectorSize size) const;
  // What the host knows `kind`, one of kinds(), as.
  const pinion_kind* c_kind(const ProofKind& kind) const { return pointers_[index(kind)]; }

 private:
  struct Row {
    std::string id, params_name, vk_name;
    std::array<pinion_kind_file, 2> c_files{};
    pinion_kind kind{};
  };
  std::size_t index(const ProofKind& kind) const { return static_cast<std::size_t>(&kind - kinds_.data()); }

  const std::vector<ProofKind> kinds_;
  std::deque<Row> rows_;  // whose addresses hold
  std::vector<const pinion_kind*> pointers_;
};

}  // namespace pinion::filecoin
