#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <pinion/host/base/regular_file.hpp>
#include <pinion/host/config/toml_depth.hpp>
#include <pinion/host/plugins/manifest.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

constexpr std::int64_t known_manifest_version = 1;
constexpr std::array<std::string_view, 7> known_keys = {"manifest_version", "id",    "version", "interfaces", "abi",
                                                        "library",          "sha256"};

bool is_hex_digest(std::string_view text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// "MAJOR.MINOR"
bool parse_abi(std::string_view text, std::uint16_t& major, std::uint16_t& minor) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, major);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return false;
  const auto second = std::from_chars(first.ptr + 1, end, minor);
  return second.ec == std::errc() && second.ptr == end;
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, const toml::table& table) : path_(path), table_(table) {}

  Result<Manifest> read() {
    Manifest manifest;
    manifest.path = path_;
    check_version();
    if (!problems_.empty()) return told();  // what a newer manifest should hold nobody here knows
    check_keys();
    manifest.id = text("id");
    if (!manifest.id.empty() && !valid_plugin_id(manifest.id))
      problem("id", fmt::format("{} is not [a-z0-9-] of at most 63 characters", in_quotes(manifest.id)));
    manifest.version = text("version");
    manifest.interfaces = texts("interfaces");
    const std::string abi = text("abi");
    if (!abi.empty() && !parse_abi(abi, manifest.abi_major, manifest.abi_minor))
      problem("abi", fmt::format("{} is not MAJOR.MINOR", in_quotes(abi)));
    manifest.library = (path_.parent_path() / text("library")).lexically_normal();
    if (table_.contains("sha256")) {
      manifest.sha256 = text("sha256");
      if (!is_hex_digest(manifest.sha256)) problem("sha256", "is not 64 lower-case hexadecimal digits");
    }
    if (!problems_.empty()) return told();
    return manifest;
  }

 private:
  Status told() const { return Status(Code::invalid_config, fmt::format("{}", fmt::join(problems_, "; "))); }

  void check_version() {
    const auto version = table_["manifest_version"].value<std::int64_t>();
    if (!version) {
      problem("manifest_version",
              fmt::format("is missing or not a number; this host reads {}", known_manifest_version));
    } else if (*version < 1 || *version > known_manifest_version) {
      problem("manifest_version", fmt::format("is {}, this host reads {}; it belongs to another release of pinion",
                                              *version, known_manifest_version));
    }
  }

  void check_keys() {
    for (const auto& [key, value] : table_)
      if (std::find(known_keys.begin(), known_keys.end(), key.str()) == known_keys.end())
        problem(key.str(), fmt::format("is not a key of manifests, which are {}", fmt::join(known_keys, ", ")));
  }

  std::string text(std::string_view key) {
    const auto value = table_[key].value_exact<std::string>();
    if (!value || value->empty()) {
      problem(key, table_.contains(key) ? "is not a text, or empty" : "is missing");
      return {};
    }
    return *value;
  }

  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> out;
    if (const toml::array* list = table_[key].as_array())
      for (const auto& item : *list)
        if (const auto value = item.value_exact<std::string>()) out.push_back(*value);
    const toml::array* list = table_[key].as_array();
    if (!list || list->empty() || out.size() != list->size()) problem(key, "is not a list of texts with at least one");
    return out;
  }

  void problem(std::string_view key, std::string_view what) {
    const toml::node* const node = table_.get(key);
    const auto at = node ? node->source().begin : toml::source_position{};
    problems_.push_back(at ? fmt::format("{}:{}:{}: {}: {}", shown(path_), at.line, at.column, shown(key), what)
                           : fmt::format("{}: {}: {}", shown(path_), shown(key), what));
  }

  const std::filesystem::path& path_;
  const toml::table& table_;
  std::vector<std::string> problems_;
};

}  // namespace

bool valid_plugin_id(std::string_view id) noexcept {
  return !id.empty() && id.size() <= 63 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

Result<Manifest> read_manifest(const std::filesystem::path& path) {
  std::error_code no_path;
  const auto absolute = std::filesystem::absolute(path, no_path).lexically_normal();
  const auto text = read_regular_text(absolute, mib(1));
  if (!text) return Status(Code::invalid_config, text.status().message());
  if (text->empty()) return Status(Code::invalid_config, fmt::format("{}: is empty", shown(absolute)));
  if (const auto line = line_of_too_deep_key(*text))
    return Status(Code::invalid_config, fmt::format("{}:{}: a key of more than {} steps; no manifest has so many",
                                                    shown(absolute), *line, most_key_steps));
  try {
    const toml::table table = toml::parse(*text, absolute.string());
    return Reader(absolute, table).read();
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    return Status(Code::invalid_config,
                  fmt::format("{}:{}:{}: {}", shown(absolute), at.line, at.column, error.description()));
  }
}

}  // namespace pinion::host
