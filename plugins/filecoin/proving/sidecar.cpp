#include "sidecar.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <pinion/groth16/file.hpp>
#include <pinion/plugin/error.hpp>
#include <pinion/printable.hpp>
#include <sstream>

namespace pinion::filecoin {
namespace {

constexpr std::string_view digest_line = "blake2b ";
constexpr std::size_t digest_digits = 32;

std::string path_of(const std::string& key_file) {
  return key_file + ".insecure";
}

groth16::ExclusiveFile open(const std::string& path) {
  auto file = groth16::ExclusiveFile::open(path);
  if (!file) throw Error(PINION_UNSUPPORTED, file.error().message);
  return std::move(file).value();
}

}  // namespace

Sidecar::Sidecar(const std::string& key_file) : file_(open(path_of(key_file))) {}

Sidecar::~Sidecar() {
  // A mark that was there and was not touched belongs to the key that stands beside it.
  if (mine_ && !kept_) file_.unlink();
}

void Sidecar::begin(const char* toxic_label) {
  text_ = "Made locally by `pinion params generate`, not by the trusted setup.\n";
  if (toxic_label == nullptr)
    text_ += "The secrets were drawn and forgotten; trust it as far as the machine it was made on.\n";
  else
    text_.append("The secrets follow from the label ")
        .append(in_quotes(toxic_label))
        .append(": anybody can forge proofs for this key. For tests only.\n");
  write();
}

void Sidecar::keep(const std::string& digest) {
  text_.append(digest_line).append(digest).append("\n");
  write();
  kept_ = true;
}

void Sidecar::write() {
  mine_ = true;
  if (::ftruncate(file_.descriptor(), 0) != 0 ||
      ::pwrite(file_.descriptor(), text_.data(), text_.size(), 0) != static_cast<ssize_t>(text_.size()))
    throw Error(PINION_UNSUPPORTED, shown(file_.path()) + ": cannot be written: " + std::strerror(errno));
}

std::optional<std::string> recorded_digest(const std::string& key_file) {
  const std::string path = path_of(key_file);
  std::error_code absent;
  if (!std::filesystem::exists(path, absent)) return std::nullopt;
  const auto opened = groth16::File::open(path);
  if (!opened) throw Error(PINION_INVALID_CONFIG, opened.error().message);
  constexpr std::uint64_t most = 4096;  // a mark is four lines
  if (opened->size() > most)
    throw Error(PINION_INVALID_CONFIG, opened->name() + ": " + std::to_string(opened->size()) +
                                           " bytes are too many for the mark "
                                           "of a local key; make the keys anew, in another folder");
  std::string text(opened->size(), '\0');
  if (const auto read = opened->read_exactly(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()}); !read)
    throw Error(PINION_INVALID_CONFIG, read.error().message);
  std::istringstream file(text);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(digest_line) && line.size() == digest_line.size() + digest_digits)
      return line.substr(digest_line.size());
  return std::nullopt;
}

std::string changed_key(const std::string& key_file, const std::string& digest, const std::string& recorded) {
  return shown(key_file) + ": the key file differs from when it was made: digest " + digest +
         ", its .insecure file says " + recorded + "; make the keys anew, in another folder";
}

}  // namespace pinion::filecoin
