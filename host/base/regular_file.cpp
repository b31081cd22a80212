#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <pinion/host/base/regular_file.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const noexcept { return number_; }

 private:
  int number_;
};

Status unreadable(const std::filesystem::path& path, std::string_view why) {
  return {Code::invalid_input, fmt::format("{}: {}", shown(path), why)};
}

template <class Buffer>
Result<Buffer> read_regular(const std::filesystem::path& path, Bytes most) {
  // O_NONBLOCK: a pipe that nobody writes to is refused, not waited for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return unreadable(path, std::strerror(errno));
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return unreadable(path, std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) return unreadable(path, "is a folder; a file is expected");
  if (!S_ISREG(facts.st_mode)) return unreadable(path, "not a regular file");
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size > most.count())
    return Status(Code::over_budget,
                  fmt::format("{}: has {} bytes, and at most {} may be read", shown(path), size, human_text(most)));
  Buffer bytes;
  bytes.resize(static_cast<std::size_t>(size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, std::strerror(errno));
    if (got == 0) return unreadable(path, fmt::format("ends at byte {} of {}", done, bytes.size()));
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

Result<std::vector<std::uint8_t>> read_regular_bytes(const std::filesystem::path& path, Bytes most) {
  return read_regular<std::vector<std::uint8_t>>(path, most);
}

Result<std::string> read_regular_text(const std::filesystem::path& path, Bytes most) {
  return read_regular<std::string>(path, most);
}

}  // namespace pinion::host
