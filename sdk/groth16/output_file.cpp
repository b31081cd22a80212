#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace pinion::groth16 {

namespace {
Error io_error(const std::string& path, std::string_view verb, int error) {
  return {ErrorCode::io, fmt::format("{}: cannot {}: {}", path, verb, std::generic_category().message(error))};
}
}  // namespace

OutputFile::OutputFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(partial_path().c_str());
}

Result<OutputFile> OutputFile::create(const std::string& path) {
  if (::access(path.c_str(), F_OK) == 0)
    return Error{ErrorCode::io, fmt::format("{}: exists already; remove it first if it may be replaced", path)};
  const std::string partial = path + ".partial";
  const int descriptor = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return io_error(partial, "create", errno);
  return OutputFile(descriptor, path);
}

Result<void> OutputFile::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0) {
      if (errno == EINTR) continue;
      return io_error(partial_path(), fmt::format("write {} bytes at offset {}", bytes.size(), offset), errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return {};
}

Result<void> OutputFile::commit() {
  if (::fsync(descriptor_) != 0) return io_error(partial_path(), "flush to disk", errno);
  // link, unlike rename, refuses to replace.
  if (::link(partial_path().c_str(), path_.c_str()) != 0)
    return io_error(path_, "give the finished file this name", errno);
  ::unlink(partial_path().c_str());
  ::close(std::exchange(descriptor_, -1));
  return {};
}

}  // namespace pinion::groth16
