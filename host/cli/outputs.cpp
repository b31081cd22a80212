#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/temporary.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

Status refused(const fs::path& path, std::string_view why) {
  return {Code::unsupported, fmt::format("{}: {}", shown(path), why)};
}

Status failed_write(const fs::path& path) {
  return refused(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

Status is_there(const fs::path& path) {
  return refused(path, "is there already, and nothing is overwritten; choose another name or folder");
}

// What is to become `path`, beside it.
Result<Temporary> write_beside(const fs::path& path, std::span<const std::uint8_t> bytes) {
  auto file = Temporary::make(path.parent_path(), Temporary::Type::file);
  if (!file) return refused(path, fmt::format("cannot be written: {}", file.status().message()));
  while (!bytes.empty()) {
    const auto n = ::write(file->descriptor(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed_write(path);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  if (::fchmod(file->descriptor(), 0644) != 0) return failed_write(path);
  return file;
}

// A link, unlike a rename, fails when somebody was faster.
Status link_to(const Temporary& file, const fs::path& path) {
  if (::fsync(file.descriptor()) == 0 && ::link(file.path().c_str(), path.c_str()) == 0) return {};
  return errno == EEXIST ? is_there(path) : failed_write(path);
}

// By trying: permissions say too little of a full disk, of a mount that is read-only, and to root.
Result<Temporary> try_folder_of(const fs::path& path) {
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return refused(folder, "no such folder; make it first");
  remove_abandoned(folder);
  constexpr std::array<std::uint8_t, 1> byte{};
  return write_beside(path, byte);
}

// The type of what has this name, which may be nothing. unsupported: it cannot be a name.
Result<fs::file_type> type_of(const fs::path& path) {
  std::error_code error;
  const auto type = fs::symlink_status(path, error).type();
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    return refused(path, error.message());
  return type;
}

}  // namespace

Status check_output(const fs::path& path) {
  const auto type = type_of(path);
  if (!type) return type.status();
  if (*type != fs::file_type::not_found) return is_there(path);
  const auto beside = try_folder_of(path);
  if (!beside) return beside.status();
  const std::string second = beside->path() + "-link";
  const Status linked = link_to(*beside, second);  // some file systems know no links
  ::unlink(second.c_str());
  return linked;
}

Status check_replaced_output(const fs::path& path) {
  const auto type = type_of(path);
  if (!type) return type.status();
  if (*type != fs::file_type::not_found && *type != fs::file_type::regular)
    return refused(path, "not a regular file; choose another name");
  return try_folder_of(path).status();
}

Status claim_outputs(Console& console, std::initializer_list<const OutputFlag*> flags, bool json) {
  std::map<std::string, std::string> claimed;  // by whom, by what: "-", or a whole path
  if (json) claimed["-"] = "--json";
  for (const OutputFlag* one : flags) {
    if (!one->wanted()) continue;
    std::error_code error;
    const auto what = one->standard() ? one->name : fs::absolute(one->name, error).lexically_normal().string();
    if (const auto [other, fresh] = claimed.emplace(what, one->flag); !fresh)
      return {Code::usage, fmt::format("{} and {} both want {}; name another file for one of them", other->second,
                                       one->flag, one->standard() ? "standard output" : shown(one->name))};
    if (one->standard()) {
      console.lend_output();
      continue;
    }
    const Status status = one->replaces ? check_replaced_output(one->name) : check_output(one->name);
    if (!status.ok()) return status.within(one->flag);
  }
  return {};
}

Status write_output(Console& console, const OutputFlag& flag, std::span<const std::uint8_t> bytes) {
  if (!flag.standard()) return write_new_file(flag.name, bytes).within(flag.flag);
  console.write(bytes);
  return {};
}

Status write_new_file(const fs::path& path, std::span<const std::uint8_t> bytes) {
  const auto beside = write_beside(path, bytes);
  return beside ? link_to(*beside, path) : beside.status();
}

Status replace_file(const fs::path& path, std::string_view text) {
  auto beside = write_beside(path, bytes_of(text));
  if (!beside) return beside.status();
  if (::rename(beside->path().c_str(), path.c_str()) != 0) return failed_write(path);
  beside->keep();
  return {};
}

Result<OutputFolder> OutputFolder::make(const fs::path& path, bool parents) {
  std::error_code error;
  OutputFolder folder(fs::absolute(path, error).lexically_normal());
  if (!folder.path_.has_filename()) folder.path_ = folder.path_.parent_path();  // "DIR/"
  if (folder.path_.empty()) return refused(path, "is no name for a folder here");
  std::vector<fs::path> missing{folder.path_};
  while (parents && !fs::exists(missing.back().parent_path(), error)) missing.push_back(missing.back().parent_path());
  for (; !missing.empty(); missing.pop_back()) {
    if (fs::create_directory(missing.back(), error)) folder.made_.push_back(missing.back());
    if (error)
      return Status(Code::unsupported, fmt::format("{}: the folder cannot be made: {}{}", shown(path), error.message(),
                                                   parents ? "" : "; it is made only inside one that is there"));
  }
  return folder;
}

OutputFolder::~OutputFolder() {
  for (; !made_.empty(); made_.pop_back())
    if (::rmdir(made_.back().c_str()) != 0) return;  // something is in it
}

}  // namespace pinion::host::cli
