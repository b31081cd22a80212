#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/key_folder.hpp>
#include <pinion/printable.hpp>
#include <set>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

// Who writes a key holds its lock, which ends with the process.
bool is_locked(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return false;
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  ::close(descriptor);
  return !taken;
}

}  // namespace

std::string folder_fault(const fs::path& folder) {
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return "";
  if (!error && !fs::is_directory(status)) return shown(folder) + ": is not a folder";
  if (!error && ::access(folder.c_str(), X_OK) == 0) return "";
  return fmt::format("{}: {}: user {} must be able to search this folder and to read its files", shown(folder),
                     error ? error.message() : std::strerror(errno), ::geteuid());
}

std::string UnfinishedKey::text() const {
  if (being_written) return fmt::format("{}: {}, being written by another run now", shown(path), human_text(bytes));
  return fmt::format("{}: {}, left by a run that was killed: remove it, or make this key again, which begins it anew",
                     shown(path), human_text(bytes));
}

std::vector<UnfinishedKey> unfinished_keys(const std::vector<const Kind*>& kinds, const fs::path& folder) {
  std::set<std::string> names;
  for (const Kind* kind : kinds)
    for (const KindFile& file : kind->files) names.insert(file.name + ".partial");
  std::vector<UnfinishedKey> found;
  for (const std::string& name : names) {
    std::error_code absent;
    const fs::path path = folder / name;
    const auto bytes = fs::file_size(path, absent);
    if (!absent) found.push_back({path, Bytes(bytes), is_locked(path)});
  }
  return found;
}

}  // namespace pinion::host::cli
