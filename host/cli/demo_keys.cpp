#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <pinion/host/cli/demo_keys.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

// The label is public on purpose: the keys of two machines are the same, and worthless to a forger's victim.
constexpr const char* toxic_label = "pinion-demo";

bool has_keys(const Kind& kind, const fs::path& folder) {
  std::error_code error;
  return std::all_of(kind.files.begin(), kind.files.end(),
                     [&](const KindFile& file) { return fs::exists(folder / file.name, error); });
}

}  // namespace

Result<OutputFolder> demo_key_folder(const std::string& wanted) {
  fs::path folder = wanted;
  if (folder.empty()) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache && *cache) {
      folder = fs::path(cache) / "pinion" / "demo-keys";
    } else if (home && *home) {
      folder = fs::path(home) / ".cache" / "pinion" / "demo-keys";
    } else {
      return Status(Code::usage, "neither XDG_CACHE_HOME nor HOME is set; say where keys may go with --keys DIR");
    }
  }
  auto made = OutputFolder::make(folder, true);
  if (!made) return Status(made.status().code(), made.status().message() + "; say where keys may go with --keys DIR");
  return made;
}

Status ensure_demo_keys(Program& program, Prover& prover, const Kind& kind, const fs::path& folder) {
  if (has_keys(kind, folder)) return {};
  program.console.note(
      fmt::format("Making test keys for {} in {} (the first time only).\n"
                  "They are insecure: their secret is public, so anybody can forge proofs for them.",
                  kind.title, shown(folder)));
  Progress bar(program.console);
  return prover.generate_keys(
      kind, folder, toxic_label, [](const std::string&, const std::string&) {}, program.stop, progress_on(bar));
}

}  // namespace pinion::host::cli
