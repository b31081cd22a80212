#include "exclusive_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <pinion/printable.hpp>
#include <system_error>
#include <utility>

namespace pinion::groth16 {

ExclusiveFile::ExclusiveFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

ExclusiveFile::ExclusiveFile(ExclusiveFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      bytes_found_(other.bytes_found_) {}

ExclusiveFile::~ExclusiveFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<ExclusiveFile> ExclusiveFile::open(const std::string& path) {
  const auto refused = [&](const char* verb) {
    return Error{ErrorCode::write,
                 fmt::format("{}: cannot {}: {}", shown(path), verb, std::generic_category().message(errno))};
  };
  for (;;) {
    ExclusiveFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644), path);
    if (file.descriptor_ < 0) return refused("create");
    if (!file.lock()) {
      if (errno != EWOULDBLOCK) return refused("lock");
      return Error{ErrorCode::write,
                   fmt::format("{}: another run is writing this file; wait until it has ended", shown(path))};
    }
    if (file.is_still_there()) return file;
  }
}

void ExclusiveFile::unlink() const noexcept {
  ::unlink(path_.c_str());
}

bool ExclusiveFile::lock() {
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return false;
  return true;
}

bool ExclusiveFile::is_still_there() {
  struct stat opened {};
  struct stat named {};
  if (::fstat(descriptor_, &opened) != 0 || ::lstat(path_.c_str(), &named) != 0) return false;
  bytes_found_ = static_cast<std::uint64_t>(opened.st_size);
  return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace pinion::groth16
