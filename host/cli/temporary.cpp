#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <pinion/host/cli/temporary.hpp>
#include <pinion/printable.hpp>
#include <utility>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = ".pinion-tmp-";

// False, with errno, where another holds it, and on file systems that know no locks: there nothing is ever removed.
bool lock(int descriptor) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

bool is_gone(const std::string& path) {
  struct stat named {};
  return ::lstat(path.c_str(), &named) != 0 && errno == ENOENT;
}

bool is_mine(int descriptor) {
  struct stat opened {};
  return ::fstat(descriptor, &opened) == 0 && opened.st_uid == ::geteuid();
}

}  // namespace

Result<Temporary> Temporary::make(const fs::path& folder, Type type) {
  for (;;) {
    // Not the final name with more behind it: that could be longer than a name may be.
    std::string path = (folder / prefix).string() + "XXXXXX";
    int descriptor = -1;
    if (type == Type::file)
      descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    else if (::mkdtemp(path.data()) != nullptr)
      descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return Status(Code::unsupported, std::strerror(errno));
    Temporary made(descriptor, std::move(path));
    // Before the lock another run may have taken it for abandoned.
    const bool being_removed = !lock(descriptor) && errno == EWOULDBLOCK;
    if (!being_removed && !is_gone(made.path_)) return made;
  }
}

Temporary::Temporary(Temporary&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::exchange(other.path_, {})) {}

Temporary::~Temporary() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void remove_abandoned(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!at->path().filename().string().starts_with(prefix)) continue;
    const std::string path = at->path().string();
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    std::error_code ignored;
    if (is_mine(descriptor) && lock(descriptor)) fs::remove_all(path, ignored);
    ::close(descriptor);
  }
}

}  // namespace pinion::host::cli
