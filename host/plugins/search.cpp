#include <fmt/format.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <pinion/host/config/option.hpp>
#include <pinion/host/plugins/elf.hpp>
#include <pinion/host/plugins/search.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* raised_privilege = "ignored: the program runs with raised privilege";

std::vector<fs::path> split(std::string_view list) {
  std::vector<fs::path> out;
  while (!list.empty()) {
    const auto end = std::min(list.find(':'), list.size());
    if (end > 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): [main], before any thread
  return value ? value : "";
}

SearchPlace user_place(bool raised) {
  SearchPlace place{{}, "user data folder", raised ? raised_privilege : ""};
  fs::path data = environment("XDG_DATA_HOME");
  if (data.empty() && !environment("HOME").empty()) data = fs::path(environment("HOME")) / ".local/share";
  place.path = data / "pinion/plugins";
  if (data.empty() && !raised) place.skipped = "neither XDG_DATA_HOME nor HOME is set";
  return place;
}

SearchPlace install_place() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {{}, "install folder", fmt::format("/proc/self/exe cannot be read: {}", error.message())};
  return {(program.parent_path() / "../lib/pinion/plugins").lexically_normal(), "install folder", ""};
}

bool exports_entry(const fs::path& library) {
  const auto elf = read_elf(library, 0);
  return elf && std::any_of(elf->exports.begin(), elf->exports.end(),
                            [](const ElfSymbol& symbol) { return symbol.name == "pinion_plugin"; });
}

}  // namespace

std::vector<SearchPlace> search_places(const std::vector<fs::path>& flags, const std::vector<fs::path>& configured) {
  const bool raised = ::getauxval(AT_SECURE) != 0;
  std::vector<SearchPlace> places;
  for (const auto& path : flags) places.push_back({path, "--plugin-path", "", true});
  const auto from_environment = split(environment("PINION_PLUGIN_PATH"));
  for (const auto& path : from_environment)
    places.push_back({path, "PINION_PLUGIN_PATH", raised ? raised_privilege : "", true});
  if (from_environment.empty()) places.push_back({{}, "PINION_PLUGIN_PATH", "not set"});
  for (const auto& path : configured) places.push_back({path, "[plugins] path", "", true});
  places.push_back(user_place(raised));
  places.push_back(install_place());
  return places;
}

Catalog::Catalog(std::vector<SearchPlace> places) : places_(std::move(places)) {
  for (auto& place : places_)
    if (place.skipped.empty()) search(place);
}

void Catalog::search(SearchPlace& place) {
  std::error_code error;
  place.path = fs::absolute(place.path, error).lexically_normal();
  std::vector<fs::path> files;
  if (fs::is_regular_file(place.path, error)) {
    files.push_back(place.path);
  } else {
    for (fs::directory_iterator at(place.path, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".toml") files.push_back(at->path());
    if (error) place.skipped = error.message();
    std::sort(files.begin(), files.end());
  }
  std::vector<Manifest> found;
  for (const auto& file : files) {
    auto manifest = read_manifest(file);
    if (manifest)
      found.push_back(std::move(*manifest));
    else
      unreadable_.push_back({file, manifest.status()});
  }
  add(std::move(found), place);
}

void Catalog::add(std::vector<Manifest> found, const SearchPlace& place) {
  std::map<std::string, std::vector<fs::path>> by_id;
  for (const auto& manifest : found) by_id[manifest.id].push_back(manifest.path);
  for (auto& manifest : found) {
    if (const auto& twins = by_id[manifest.id]; twins.size() > 1) {
      const auto& other = twins.front() == manifest.path ? twins.back() : twins.front();
      unreadable_.push_back(
          {manifest.path, Status(Code::invalid_config, fmt::format("{}: id \"{}\" is also that of {}; remove one",
                                                                   shown(manifest.path), manifest.id, shown(other)))});
      continue;
    }
    const auto winner = std::find_if(listed_.begin(), listed_.end(),
                                     [&](const auto& listed) { return listed.manifest.id == manifest.id; });
    std::optional<fs::path> shadowed_by;
    if (winner != listed_.end()) {
      if (winner->manifest.path == manifest.path) continue;  // one place named twice
      shadowed_by = winner->manifest.path;
    }
    listed_.push_back({std::move(manifest), place.origin, std::move(shadowed_by)});
  }
}

std::vector<fs::path> Catalog::without_manifest() const {
  std::vector<fs::path> found;
  for (const auto& place : places_) {
    std::error_code error;
    if (!place.skipped.empty() || !fs::is_directory(place.path, error)) continue;
    for (fs::directory_iterator at(place.path, error), end; !error && at != end; at.increment(error)) {
      const fs::path& file = at->path();
      const auto names_it = [&](const auto& listed) { return listed.manifest.library == file; };
      if (file.extension() != ".so" || std::any_of(listed_.begin(), listed_.end(), names_it)) continue;
      std::error_code absent;  // a manifest that cannot be read is told as such
      if (!fs::exists(fs::path(file).replace_extension(".toml"), absent) && exports_entry(file)) found.push_back(file);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<Manifest> Catalog::find(std::string_view id) const {
  const auto at =
      std::find_if(listed_.begin(), listed_.end(), [&](const auto& listed) { return listed.manifest.id == id; });
  if (at != listed_.end()) return at->manifest;

  std::vector<std::string> ids;
  for (const auto& listed : listed_) ids.push_back(listed.manifest.id);
  const auto near = nearest(id, ids);
  std::string text = fmt::format("no plugin {} was found{}; searched:", in_quotes(id),
                                 near ? fmt::format("; did you mean \"{}\"?", *near) : "");
  for (const auto& place : places_) {
    const std::string where =
        place.path.empty() ? place.origin : fmt::format("{} ({})", shown(place.path), place.origin);
    const auto here = std::count_if(listed_.begin(), listed_.end(), [&](const auto& listed) {
      return listed.manifest.path == place.path || listed.manifest.path.parent_path() == place.path;
    });
    text += fmt::format("\n  {}: {}", where, place.skipped.empty() ? fmt::format("{} plugins", here) : place.skipped);
  }
  for (const auto& manifest : unreadable_) text += fmt::format("\n  refused: {}", manifest.status.message());
  for (const auto& library : without_manifest()) text += fmt::format("\n  {}: no manifest names it", shown(library));
  text += "\n  ids found:";
  for (const auto& listed : listed_)
    if (!listed.shadowed_by) text += " " + listed.manifest.id;
  if (listed_.empty()) text += " none";
  text += "\n  to use one from another folder: --plugin-path DIR, or plugins.path";
  return Status(Code::invalid_config, std::move(text));
}

}  // namespace pinion::host
