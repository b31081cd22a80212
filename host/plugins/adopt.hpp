// Taking over a function table: the host copies min(their size, our size) bytes into its own zeroed struct, checks that
// every required slot is filled, and never touches the plugin's table again. A plugin built with older headers has a
// shorter table, one built with newer headers a longer one; both are fine as long as the required slots are there.
// An optional slot is one that is not listed here; it may be null.
#pragma once

#include <pinion/pinion.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <pinion/host/plugins/outcome.hpp>
#include <string>

namespace pinion::host {

struct TableSlot {
  const char* name;
  std::size_t offset;
};

// What the host knows of each table: its id and its required slots.
template <class Table>
struct TableRules;

#define PINION_SLOT(table, name) \
  TableSlot {                    \
#name, offsetof(table, name) \
  }

template <>
struct TableRules<pinion_allocator> {
  static constexpr const char* id = PINION_ALLOCATOR;
  static constexpr std::array required{PINION_SLOT(pinion_allocator, describe), PINION_SLOT(pinion_allocator, allocate),
                                       PINION_SLOT(pinion_allocator, release)};
};
template <>
struct TableRules<pinion_backend> {
  static constexpr const char* id = PINION_BACKEND;
  static constexpr std::array required{PINION_SLOT(pinion_backend, describe), PINION_SLOT(pinion_backend, device),
                                       PINION_SLOT(pinion_backend, plan),     PINION_SLOT(pinion_backend, start),
                                       PINION_SLOT(pinion_backend, finish),   PINION_SLOT(pinion_backend, abandon)};
};
template <>
struct TableRules<pinion_proof> {
  static constexpr const char* id = PINION_PROOF;
  static constexpr std::array required{
      PINION_SLOT(pinion_proof, kinds),      PINION_SLOT(pinion_proof, open),   PINION_SLOT(pinion_proof, plan),
      PINION_SLOT(pinion_proof, synthesize), PINION_SLOT(pinion_proof, retire), PINION_SLOT(pinion_proof, verify_part),
      PINION_SLOT(pinion_proof, assemble),   PINION_SLOT(pinion_proof, verify), PINION_SLOT(pinion_proof, close)};
};
template <>
struct TableRules<pinion_resident> {
  static constexpr const char* id = PINION_RESIDENT;
  static constexpr std::array required{PINION_SLOT(pinion_resident, formats), PINION_SLOT(pinion_resident, describe),
                                       PINION_SLOT(pinion_resident, load), PINION_SLOT(pinion_resident, unload),
                                       PINION_SLOT(pinion_resident, view)};
};
template <>
struct TableRules<pinion_keys> {
  static constexpr const char* id = PINION_KEYS;
  static constexpr std::array required{PINION_SLOT(pinion_keys, generate), PINION_SLOT(pinion_keys, check),
                                       PINION_SLOT(pinion_keys, describe)};
};
template <>
struct TableRules<pinion_samples> {
  static constexpr const char* id = PINION_SAMPLE;
  static constexpr std::array required{PINION_SLOT(pinion_samples, list), PINION_SLOT(pinion_samples, fake)};
};
template <>
struct TableRules<pinion_health> {
  static constexpr const char* id = PINION_HEALTH;
  static constexpr std::array required{PINION_SLOT(pinion_health, examine)};
};
#undef PINION_SLOT

// Reads the leading `size` of a growing struct and copies what both sides know. Fails when the size is absurd, which
// means that the pointer is not what it should be. [any]
template <class Struct>
Status adopt_struct(const void* theirs, const std::string& plugin, const char* what, Struct& out) {
  constexpr std::uint32_t largest = 16 * 1024;
  std::uint32_t size = 0;
  std::memcpy(&size, theirs, sizeof size);
  if (size < 2 * sizeof(std::uint32_t) || size > largest)
    return Status(Code::invalid_config, plugin + ": " + what + " says it is " + std::to_string(size) +
                                            " bytes; the host's is " + std::to_string(sizeof(Struct)) +
                                            ": its first field, size, is to be its sizeof");
  out = Struct{};
  std::memcpy(static_cast<void*>(&out), theirs, std::min<std::size_t>(size, sizeof(Struct)));
  out.size = static_cast<std::uint32_t>(std::min<std::size_t>(size, sizeof(Struct)));
  return {};
}

// The host's own copy of a table that `query` answered with. [any]
template <class Table>
Result<Table> adopt_table(const void* theirs, const std::string& plugin) {
  using Rules = TableRules<Table>;
  Table table{};
  if (Status status = adopt_struct(theirs, plugin, Rules::id, table); !status.ok()) return status;
  std::string missing;
  for (const TableSlot& slot : Rules::required) {
    void* function = nullptr;
    std::memcpy(&function, reinterpret_cast<const char*>(&table) + slot.offset, sizeof function);
    if (function == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(slot.name);
  }
  if (missing.empty()) return table;
  return Status(Code::invalid_config, plugin + ": its table " + Rules::id + " (" + std::to_string(table.size) +
                                          " bytes) lacks required functions: " + missing +
                                          "; it was built with other headers, or is unfinished");
}

}  // namespace pinion::host
