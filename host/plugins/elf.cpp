#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <pinion/host/plugins/elf.hpp>
#include <pinion/printable.hpp>
#include <stdexcept>

namespace pinion::host {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t machine_here = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t machine_here = EM_AARCH64;
#else
#error "add this machine to elf.cpp"
#endif

// The tables of a real library are far below this; a corrupt count is not allowed to take memory.
constexpr std::uint64_t most_table_bytes = std::uint64_t{64} << 20;

const char* machine_name(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "AArch64";
    case EM_386:
      return "32-bit x86";
    case EM_ARM:
      return "32-bit ARM";
    case EM_RISCV:
      return "RISC-V";
    default:
      return "unknown";
  }
}

// Thrown inside this file only.
class Malformed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class File {
 public:
  explicit File(const std::filesystem::path& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    if (fd_ < 0 || ::fstat(fd_, &status) != 0) {
      const int error = errno;
      if (fd_ >= 0) ::close(fd_);
      throw Malformed(fmt::format("cannot be read: {}", std::strerror(error)));
    }
    if (!S_ISREG(status.st_mode)) {
      ::close(fd_);
      throw Malformed("is not a regular file");  // a pipe of that name must not hang the search
    }
    bytes_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~File() { ::close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t bytes() const { return bytes_; }

  void require(std::uint64_t offset, std::uint64_t count, const char* what) const {
    if (offset > bytes_ || count > bytes_ - offset)
      throw Malformed(fmt::format("is cut short: its {} at offset {} needs {} bytes, the file has {}", what, offset,
                                  count, bytes_));
  }

  void read(std::uint64_t offset, void* out, std::uint64_t count, const char* what) const {
    require(offset, count, what);
    auto* to = static_cast<char*>(out);
    while (count > 0) {
      const ssize_t got = ::pread(fd_, to, count, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0)
        throw Malformed(fmt::format("cannot be read at offset {}: {}", offset,
                                    got < 0 ? std::strerror(errno) : "the file became shorter"));
      to += got;
      offset += static_cast<std::uint64_t>(got);
      count -= static_cast<std::uint64_t>(got);
    }
  }

  template <class T>
  std::vector<T> table(std::uint64_t offset, std::uint64_t count, const char* what) const {
    if (count > most_table_bytes / sizeof(T))
      throw Malformed(fmt::format("claims {} entries in its {}, which no library has", count, what));
    require(offset, count * sizeof(T), what);  // before any memory is taken
    std::vector<T> out(count);
    read(offset, out.data(), count * sizeof(T), what);
    return out;
  }

 private:
  int fd_;
  std::uint64_t bytes_ = 0;
};

Elf64_Ehdr read_header(const File& file) {
  Elf64_Ehdr header{};
  std::array<unsigned char, EI_NIDENT> ident{};
  if (file.bytes() < ident.size()) throw Malformed(fmt::format("is not a shared library: {} bytes", file.bytes()));
  file.read(0, ident.data(), ident.size(), "identification");
  if (std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0)
    throw Malformed(fmt::format("is not a shared library: it begins with {:02x} {:02x} {:02x} {:02x}, not 7f 'ELF'",
                                ident[0], ident[1], ident[2], ident[3]));
  if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
    throw Malformed("is not a 64-bit little-endian library");
  file.read(0, &header, sizeof header, "header");
  if (header.e_machine != machine_here)
    throw Malformed(fmt::format("is built for {} (machine {}); this program runs on {}", machine_name(header.e_machine),
                                header.e_machine, machine_name(machine_here)));
  if (header.e_type != ET_DYN)
    throw Malformed(fmt::format("is not a shared library: ELF type {}, expected {} (ET_DYN)", header.e_type, ET_DYN));
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_phentsize != sizeof(Elf64_Phdr))
    throw Malformed("has no section or segment table; was it stripped with a tool that removes them?");
  return header;
}

bool exported(const Elf64_Sym& symbol) {
  const auto binding = ELF64_ST_BIND(symbol.st_info);
  const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && binding != STB_LOCAL && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
}

std::string name_at(const std::vector<char>& names, std::uint64_t offset) {
  if (offset >= names.size()) throw Malformed("has a symbol whose name lies outside its string table");
  const auto begin = names.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto end = std::find(begin, names.end(), '\0');
  if (end == names.end()) throw Malformed("has a symbol name without an end");
  return std::string(begin, end);
}

// The bytes on disk of an address, as far as one loaded segment has them in the file.
std::vector<std::uint8_t> data_at(const File& file, const std::vector<Elf64_Phdr>& segments, std::uint64_t address,
                                  std::uint64_t count) {
  for (const auto& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t within = address - segment.p_vaddr;
    if (within >= segment.p_filesz) continue;
    return file.table<std::uint8_t>(segment.p_offset + within, std::min(count, segment.p_filesz - within), "data");
  }
  return {};
}

ElfLibrary read_library(const File& file, std::uint64_t data_bytes) {
  const Elf64_Ehdr header = read_header(file);
  const auto sections = file.table<Elf64_Shdr>(header.e_shoff, header.e_shnum, "section table");
  const auto segments = file.table<Elf64_Phdr>(header.e_phoff, header.e_phnum, "segment table");
  const auto symbols_at =
      std::find_if(sections.begin(), sections.end(), [](const auto& s) { return s.sh_type == SHT_DYNSYM; });
  if (symbols_at == sections.end()) throw Malformed("has no dynamic symbol table, so it exports nothing");
  if (symbols_at->sh_link >= sections.size()) throw Malformed("has a symbol table without names");
  const Elf64_Shdr& names_at = sections[symbols_at->sh_link];
  const auto names = file.table<char>(names_at.sh_offset, names_at.sh_size, "symbol names");
  const auto symbols =
      file.table<Elf64_Sym>(symbols_at->sh_offset, symbols_at->sh_size / sizeof(Elf64_Sym), "symbol table");

  ElfLibrary library;
  for (const auto& symbol : symbols) {
    if (!exported(symbol)) continue;
    auto data = data_at(file, segments, symbol.st_value, std::min<std::uint64_t>(symbol.st_size, data_bytes));
    library.exports.push_back({name_at(names, symbol.st_name), symbol.st_size, std::move(data)});
  }
  return library;
}

}  // namespace

const char* elf_machine_here() noexcept {
  return machine_name(machine_here);
}

Result<ElfLibrary> read_elf(const std::filesystem::path& path, std::uint64_t data_bytes) {
  try {
    return read_library(File(path), data_bytes);
  } catch (const Malformed& malformed) {
    return Status(Code::invalid_config, fmt::format("{} {}", shown(path), malformed.what()));
  }
}

}  // namespace pinion::host
