#include "folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <pinion/plugin/error.hpp>
#include <pinion/printable.hpp>

namespace pinion::filecoin {

NewFile::NewFile(const std::string& folder, const std::string& name)
    : path_(std::filesystem::path(folder) / name),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail();
}

NewFile::~NewFile() {
  ::close(descriptor_);
}

void NewFile::write(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void NewFile::fail() const {
  const int reason = errno;
  throw Error(PINION_UNSUPPORTED, fmt::format("{}: cannot be written: {}", shown(path_), std::strerror(reason)),
              reason);
}

void write_new_file(const std::string& folder, const std::string& name, ByteView bytes) {
  NewFile(folder, name).write(bytes);
}

MetaJson& MetaJson::text(std::string_view key, std::string_view value) {
  return json(key, fmt::format("\"{}\"", value));
}

MetaJson& MetaJson::number(std::string_view key, std::uint64_t value) {
  return json(key, std::to_string(value));
}

MetaJson& MetaJson::json(std::string_view key, std::string_view value) {
  text_ += fmt::format("\n  \"{}\": {},", key, value);
  return *this;
}

std::string MetaJson::finish(std::uint64_t seed) {
  return text_ + fmt::format("\n  \"made_by\": \"pinion sector fake --seed {}: never sealed\"\n}}\n", seed);
}

}  // namespace pinion::filecoin
