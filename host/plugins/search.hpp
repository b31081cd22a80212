// Which plugins exist, and where. Looking loads nothing: only manifests are read; only the configuration loads.
// The first manifest of an id wins; the ones it shadows are remembered, because "the wrong one was loaded" must be
// visible.
#pragma once

#include <filesystem>
#include <optional>
#include <pinion/host/base/status.hpp>
#include <pinion/host/plugins/manifest.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// A folder of manifests, or a single manifest file.
struct SearchPlace {
  std::filesystem::path path;
  std::string origin;   // who named it: "--plugin-path", "PINION_PLUGIN_PATH", …
  std::string skipped;  // "" when it was searched, else why not
  bool asked = false;   // somebody named it; it is not one of those that are always looked at
};

// In order: `flags` (--plugin-path), PINION_PLUGIN_PATH (colon-separated), `configured` ([plugins] path),
// $XDG_DATA_HOME/pinion/plugins (or ~/.local/share/…), and ../lib/pinion/plugins beside the program. Environment and
// home folder are ignored when the program runs with raised privilege: who starts it is not who answers for it. [main]
std::vector<SearchPlace> search_places(const std::vector<std::filesystem::path>& flags,
                                       const std::vector<std::filesystem::path>& configured);

struct ListedPlugin {
  Manifest manifest;
  std::string origin;                                // of the place it was found in
  std::optional<std::filesystem::path> shadowed_by;  // the manifest that won
};

struct UnreadableManifest {
  std::filesystem::path path;
  Status status;
};

class Catalog {
 public:
  // Searches each place that is not skipped already; a place that does not exist is remembered as such. Manifests of
  // one folder come in the order of their names. Two manifests with one id in one folder are both refused. [main]
  explicit Catalog(std::vector<SearchPlace> places);

  const std::vector<SearchPlace>& places() const noexcept { return places_; }
  const std::vector<ListedPlugin>& listed() const noexcept { return listed_; }
  const std::vector<UnreadableManifest>& unreadable() const noexcept { return unreadable_; }

  // Libraries in the folders searched that are plugins and that no manifest names, so that nobody would ever load them.
  // Reads each library's symbols. [any]
  std::vector<std::filesystem::path> without_manifest() const;

  // The manifest of `id` that won. Fails with invalid_config: every place that was searched, what was found there or
  // why it was not searched, the unreadable manifests, and the nearest id there is. [any]
  Result<Manifest> find(std::string_view id) const;

 private:
  void search(SearchPlace& place);
  void add(std::vector<Manifest> found, const SearchPlace& place);

  std::vector<SearchPlace> places_;
  std::vector<ListedPlugin> listed_;
  std::vector<UnreadableManifest> unreadable_;
};

}  // namespace pinion::host
