#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <pinion/printable.hpp>
#include <system_error>
#include <utility>

namespace pinion::groth16 {

namespace {
Error write_error(const std::string& path, std::string_view verb, int error) {
  return {ErrorCode::write,
          fmt::format("{}: cannot {}: {}", shown(path), verb, std::generic_category().message(error))};
}
}  // namespace

OutputFile::OutputFile(ExclusiveFile partial, std::string path)
    : partial_(std::move(partial)), path_(std::move(path)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : partial_(std::move(other.partial_)),
      path_(std::move(other.path_)),
      unfinished_(std::exchange(other.unfinished_, false)) {}

OutputFile::~OutputFile() {
  if (unfinished_) partial_.unlink();
}

Result<OutputFile> OutputFile::create(const std::string& path) {
  auto partial = ExclusiveFile::open(path + ".partial");
  if (!partial) return partial.error();
  OutputFile file(std::move(partial).value(), path);
  // Looked for under the lock: a run that has just ended left the name to us and the file behind. A link that leads
  // nowhere counts too.
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0)
    return Error{ErrorCode::write,
                 fmt::format("{}: exists already; remove it first if it may be replaced", shown(path))};
  if (::ftruncate(file.partial_.descriptor(), 0) != 0) return write_error(file.partial_.path(), "empty", errno);
  return file;
}

Result<void> OutputFile::reserve(std::uint64_t bytes) const {
  int error = 0;
  do {
    error = ::fallocate(partial_.descriptor(), 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (error == EINTR);
  // Some file systems cannot say beforehand; there each write says so itself.
  if (error == 0 || error == EOPNOTSUPP || error == ENOSYS) return {};
  const Error refused = write_error(partial_.path(), fmt::format("take {} bytes", bytes), error);
  struct statvfs disk {};
  if (error != ENOSPC || ::fstatvfs(partial_.descriptor(), &disk) != 0) return refused;
  return Error{refused.code, fmt::format("{}: {} are free; make room there, or choose a folder on another disk",
                                         refused.message, std::uint64_t{disk.f_bavail} * disk.f_frsize)};
}

Result<void> OutputFile::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(partial_.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0) {
      if (errno == EINTR) continue;
      return write_error(partial_.path(), fmt::format("write {} bytes at offset {}", bytes.size(), offset), errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return {};
}

Result<void> OutputFile::commit() {
  if (::fsync(partial_.descriptor()) != 0) return write_error(partial_.path(), "flush to disk", errno);
  // link, unlike rename, refuses to replace.
  if (::link(partial_.path().c_str(), path_.c_str()) != 0)
    return write_error(path_, "give the finished file this name", errno);
  partial_.unlink();
  unfinished_ = false;
  return {};
}

}  // namespace pinion::groth16
