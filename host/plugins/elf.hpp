// What a shared library says of itself on disk, read without loading it: machine, exported symbols, and the first bytes
// of a symbol's data. Every offset is checked against the file, so any bytes at all are safe to read.
// Not a general ELF reader: 64-bit little-endian shared libraries with a section table, which is what linkers write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <pinion/host/base/status.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct ElfSymbol {
  std::string name;
  std::uint64_t bytes = 0;         // size of the object
  std::vector<std::uint8_t> data;  // its first bytes on disk, at most `data_bytes` of read_elf
};

struct ElfLibrary {
  std::vector<ElfSymbol> exports;  // defined, visible to others; in file order
};

// The machine a plugin must be built for: this program's own, "x86-64" or "AArch64". [any]
const char* elf_machine_here() noexcept;

// Reads `path` and the first `data_bytes` of each exported symbol. Source: System V ABI, gABI 4.1, chapters 4 and 5.
// Fails with invalid_config: not readable, not ELF, another machine, not a shared library, cut short. [any]
Result<ElfLibrary> read_elf(const std::filesystem::path& path, std::uint64_t data_bytes);

}  // namespace pinion::host
