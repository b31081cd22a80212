#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <pinion/printable.hpp>
#include <system_error>
#include <utility>

namespace pinion::groth16 {

namespace {
Error io_error(const std::string& path, const char* verb, int error) {
  return {ErrorCode::io, fmt::format("{}: cannot {}: {}", shown(path), verb, std::generic_category().message(error))};
}
}  // namespace

File::File(int descriptor, std::string path, std::uint64_t size)
    : descriptor_(descriptor), path_(std::move(path)), size_(size) {}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)), size_(other.size_) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  std::swap(size_, other.size_);
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<File> File::open(const std::string& path) {
  // O_NONBLOCK: a pipe of that name must not hang the reader.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return io_error(path, "open", errno);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    const int error = errno;
    ::close(descriptor);
    return io_error(path, "read its size", error);
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return Error{ErrorCode::io, fmt::format("{}: not a regular file", shown(path))};
  }
  return File(descriptor, path, static_cast<std::uint64_t>(status.st_size));
}

Result<void> File::read_exactly(std::uint64_t offset, std::span<std::uint8_t> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0) {
      if (errno == EINTR) continue;
      return io_error(path_, fmt::format("read {} bytes at offset {}", out.size() - done, offset + done).c_str(),
                      errno);
    }
    if (got == 0)
      return Error{ErrorCode::truncated, fmt::format("{}: ends at byte {} where {} more bytes were expected",
                                                     shown(path_), offset + done, out.size() - done)};
    done += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace pinion::groth16
