#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <pinion/host/plugins/adopt.hpp>
#include <pinion/host/plugins/elf.hpp>
#include <pinion/host/plugins/gates.hpp>
#include <pinion/host/plugins/sha256.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

constexpr const char* entry_symbol = "pinion_plugin";
constexpr std::uint32_t most_items = 1024;  // interfaces or options of one plugin

// The fields of pinion_plugin_entry that hold no addresses, so that they can be read from the file.
struct VersionTag {
  std::uint32_t magic;
  std::uint16_t abi_major, abi_minor;
  std::uint32_t size;
};
static_assert(offsetof(VersionTag, abi_major) == offsetof(pinion_plugin_entry, abi_major));
static_assert(offsetof(VersionTag, size) == offsetof(pinion_plugin_entry, size));

Status refuse(std::string message) {
  return Status(Code::invalid_config, std::move(message));
}

Status check_place(const std::filesystem::path& library) {
  if (!library.is_absolute()) return refuse(fmt::format("{} is not an absolute path", shown(library)));
  struct stat file {};
  if (::stat(library.c_str(), &file) != 0)
    return refuse(
        fmt::format("{} cannot be opened: {}; its manifest names it: install the plugin again, or remove the "
                    "manifest",
                    shown(library), std::strerror(errno)));
  if (!S_ISREG(file.st_mode)) return refuse(fmt::format("{} is not a regular file", shown(library)));
  if ((file.st_mode & S_IWOTH) != 0)
    return refuse(
        fmt::format("{0} is writable by others (mode {1:04o}); chmod o-w {0}", shown(library), file.st_mode & 07777));
  struct stat folder {};
  const auto parent = library.parent_path();
  if (::stat(parent.c_str(), &folder) == 0 && (folder.st_mode & S_IWOTH) != 0 && (folder.st_mode & S_ISVTX) == 0)
    return refuse(fmt::format("{0}, the folder of {1}, is writable by others (mode {2:04o}); chmod o-w {0}",
                              shown(parent), shown(library.filename()), folder.st_mode & 07777));
  return {};
}

Status check_digest(const Manifest& manifest) {
  if (manifest.sha256.empty()) return {};
  const auto digest = sha256_of_file(manifest.library);
  if (!digest) return digest.status();
  if (*digest == manifest.sha256) return {};
  return refuse(fmt::format("{} has SHA-256 {}, its manifest {} says {}; one of them was replaced",
                            shown(manifest.library), *digest, shown(manifest.path), manifest.sha256));
}

Status check_tag(const VersionTag& tag, const std::string& library) {
  if (tag.magic != PINION_MAGIC)
    return refuse(fmt::format("{}: {} begins with {:08x}, expected {:08x}; it is not a pinion plugin", library,
                              entry_symbol, tag.magic, PINION_MAGIC));
  if (tag.abi_major != PINION_ABI_MAJOR)
    return refuse(
        fmt::format("{} was built for plugin ABI {}.{}, this host has {}.{}; majors must be equal: build the "
                    "plugin with this host's headers",
                    library, tag.abi_major, tag.abi_minor, PINION_ABI_MAJOR, PINION_ABI_MINOR));
  if (tag.size != sizeof(pinion_plugin_entry))
    return refuse(fmt::format("{}: {} says it is {} bytes, expected {}", library, entry_symbol, tag.size,
                              sizeof(pinion_plugin_entry)));
  return {};
}

Status check_exports(const Manifest& manifest) {
  const std::string library = shown(manifest.library);
  const auto elf = read_elf(manifest.library, sizeof(VersionTag));
  if (!elf) return elf.status();
  const ElfSymbol* entry = nullptr;
  std::vector<std::string> others;
  for (const auto& symbol : elf->exports)
    if (symbol.name == entry_symbol)
      entry = &symbol;
    else
      others.push_back(symbol.name);
  if (entry == nullptr)
    return refuse(fmt::format("{} does not export {}; it exports {}; PINION_PLUGIN(…) in one source file defines it",
                              library, entry_symbol,
                              others.empty() ? "nothing" : fmt::format("{}", fmt::join(others, ", "))));
  if (!others.empty())
    return refuse(
        fmt::format("{} exports {} besides {}; use pinion_add_plugin, or hidden visibility and a version "
                    "script",
                    library, fmt::join(others, ", "), entry_symbol));
  if (entry->data.size() < sizeof(VersionTag))
    return refuse(
        fmt::format("{}: {} is not constant data of at least {} bytes", library, entry_symbol, sizeof(VersionTag)));
  VersionTag tag{};
  std::memcpy(&tag, entry->data.data(), sizeof tag);
  return check_tag(tag, library);
}

// A text that a plugin points to, of at most `most` bytes.
Status read_text(const char* theirs, const std::string& plugin, const char* field, std::size_t most, std::string& out) {
  if (theirs == nullptr) return refuse(fmt::format("{}: {} is missing", plugin, field));
  const std::size_t length = ::strnlen(theirs, most + 1);
  if (length == 0 || length > most)
    return refuse(fmt::format("{}: {} must be 1 to {} bytes long", plugin, field, most));
  out.assign(theirs, length);
  return {};
}

std::vector<std::string> split_choices(const char* choices) {
  std::vector<std::string> out;
  for (std::string_view rest = choices ? choices : ""; !rest.empty();) {
    const auto end = std::min(rest.find('|'), rest.size());
    out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

Status read_option(const pinion_option_info* theirs, const std::string& plugin, std::vector<OptionInfo>& options) {
  const std::string what = fmt::format("option {}", options.size());
  if (theirs == nullptr) return refuse(fmt::format("{}: {} is a null pointer", plugin, what));
  pinion_option_info ours{};
  if (Status s = adopt_struct(theirs, plugin, what.c_str(), ours); !s.ok()) return s;
  OptionInfo option;
  if (Status s = read_text(ours.key, plugin, (what + "'s key").c_str(), 63, option.key); !s.ok()) return s;
  const bool snake = std::all_of(option.key.begin(), option.key.end(),
                                 [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
  if (!snake) return refuse(fmt::format("{}: option \"{}\" is not snake_case", plugin, option.key));
  const std::string field = fmt::format("option \"{}\"", option.key);
  if (ours.type < PINION_OPTION_BOOL || ours.type > PINION_OPTION_LIST)
    return refuse(fmt::format("{}: {} has type {}, known are {} to {}", plugin, field, ours.type, PINION_OPTION_BOOL,
                              PINION_OPTION_LIST));
  const auto same = [&](const OptionInfo& other) { return other.key == option.key; };
  if (std::any_of(options.begin(), options.end(), same))
    return refuse(fmt::format("{}: {} is declared twice", plugin, field));
  if (Status s = read_text(ours.help, plugin, (field + "'s help").c_str(), 1000, option.help); !s.ok()) return s;
  option.type = ours.type;
  if (ours.default_value) option.default_value = ours.default_value;
  option.choices = split_choices(ours.choices);
  options.push_back(std::move(option));
  return {};
}

Status read_lists(const pinion_plugin_info& theirs, PluginInfo& info) {
  if (theirs.interface_count == 0 || theirs.interface_count > most_items || theirs.interfaces == nullptr)
    return refuse(
        fmt::format("{}: it lists {} interfaces; a plugin has at least one", info.id, theirs.interface_count));
  for (std::uint32_t i = 0; i < theirs.interface_count; ++i) {
    std::string id;
    if (Status s = read_text(theirs.interfaces[i], info.id, "an interface id", 127, id); !s.ok()) return s;
    info.interfaces.push_back(std::move(id));
  }
  auto options = read_options(theirs.options, theirs.option_count, info.id);
  if (!options) return options.status();
  info.options = *std::move(options);
  return {};
}

// A manifest is made from the same words as its library; where they differ, one of the two is not the other's.
Status check_same(const PluginInfo& info, const Manifest& manifest) {
  const auto differs = [&](const char* what, const std::string& library, const std::string& file) {
    return refuse(
        fmt::format("{} says its {} \"{}\", its manifest {} says \"{}\"; build it again with "
                    "pinion_add_plugin, which writes both",
                    shown(manifest.library), what, library, shown(manifest.path), file));
  };
  if (info.id != manifest.id) return differs("id is", info.id, manifest.id);
  if (info.version != manifest.version) return differs("version is", info.version, manifest.version);
  if (info.abi_major != manifest.abi_major)  // minor versions agree with one another
    return differs("ABI is", fmt::format("{}.{}", info.abi_major, info.abi_minor),
                   fmt::format("{}.{}", manifest.abi_major, manifest.abi_minor));
  auto ours = info.interfaces, theirs = manifest.interfaces;
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  if (ours != theirs)
    return differs("interfaces are", fmt::format("{}", fmt::join(ours, ", ")),
                   fmt::format("{}", fmt::join(theirs, ", ")));
  return {};
}

}  // namespace

Status check_file(const Manifest& manifest) {
  if (Status status = check_place(manifest.library); !status.ok()) return status;
  if (Status status = check_digest(manifest); !status.ok()) return status;
  return check_exports(manifest);
}

Result<std::vector<OptionInfo>> read_options(const pinion_option_info* const* theirs, std::uint32_t count,
                                             const std::string& plugin) {
  if (count > most_items || (count > 0 && theirs == nullptr))
    return refuse(fmt::format("{}: it claims {} options but gives no list of them", plugin, count));
  std::vector<OptionInfo> options;
  for (std::uint32_t i = 0; i < count; ++i)
    if (Status s = read_option(theirs[i], plugin, options); !s.ok()) return s;
  return options;
}

Result<PluginInfo> check_entry(const pinion_plugin_entry& entry, const Manifest& manifest) {
  const std::string library = shown(manifest.library);
  VersionTag tag{};
  std::memcpy(&tag, &entry, sizeof tag);
  if (Status status = check_tag(tag, library); !status.ok()) return status;
  if (entry.info == nullptr) return refuse(fmt::format("{}: {}.info is missing", library, entry_symbol));
  if (!entry.create || !entry.destroy || !entry.query)
    return refuse(fmt::format("{}: {} lacks create, destroy or query", library, entry_symbol));
  pinion_plugin_info theirs{};
  if (Status status = adopt_struct(entry.info, library, "pinion_plugin_info", theirs); !status.ok()) return status;
  PluginInfo info;
  info.abi_major = entry.abi_major;
  info.abi_minor = entry.abi_minor;
  if (Status s = read_text(theirs.id, library, "info.id", 63, info.id); !s.ok()) return s;
  if (!valid_plugin_id(info.id)) return refuse(fmt::format("{}: id \"{}\" is not [a-z0-9-]", library, info.id));
  if (Status s = read_text(theirs.name, library, "info.name", 127, info.name); !s.ok()) return s;
  if (Status s = read_text(theirs.version, library, "info.version", 63, info.version); !s.ok()) return s;
  if (Status s = read_text(theirs.licence, library, "info.licence", 127, info.licence); !s.ok()) return s;
  if (Status s = read_text(theirs.description, library, "info.description", 1000, info.description); !s.ok()) return s;
  if (Status status = read_lists(theirs, info); !status.ok()) return status;
  if (Status status = check_same(info, manifest); !status.ok()) return status;
  return info;
}

}  // namespace pinion::host
