// Files and folders that a person asks to be written: what stands in the way is found out before the work, and nothing
// is overwritten that was not meant. Inputs are files.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <pinion/host/base/status.hpp>
#include <pinion/host/cli/console.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pinion::host::cli {

// A text as what is written. [any]
inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Each asks, before hours of work, for what would be found out after it. unsupported: something stands at `path`, or
// its folder is not there, takes no file, or has no room. [any]
Status check_output(const std::filesystem::path& path);
// The same for a file that is written anew and again: it may be there, if it is a regular one. [any]
Status check_replaced_output(const std::filesystem::path& path);

// A flag that names a file to write, or "-" for standard output.
struct OutputFlag {
  std::string flag;
  bool replaces = false;  // what has that name
  std::string name{};     // "" where it is not given

  bool wanted() const noexcept { return !name.empty(); }
  bool standard() const noexcept { return name == "-"; }
  bool is_file() const noexcept { return wanted() && !standard(); }
};

// Before any work: what stands in the way of what these ask for, and standard output to the one that wants it. usage:
// two of them want the same, or `json` does, which prints there. Else as check_output, check_replaced_output. May be
// asked again. [main]
Status claim_outputs(Console& console, std::initializer_list<const OutputFlag*> flags, bool json);
// Writes the file, or standard output. Fails as write_new_file. [main]
Status write_output(Console& console, const OutputFlag& flag, std::span<const std::uint8_t> bytes);

// Writes a new file, whole or not at all. Fails as check_output, or unsupported with the system's reason. [any]
Status write_new_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
// The same, in the place of what is there. [any]
Status replace_file(const std::filesystem::path& path, std::string_view text);

// A folder for what is about to be made. The folders that it had to make are taken away again if they stay empty.
class OutputFolder {
 public:
  // With `parents` those above it may be made too. unsupported: it cannot be made. [any]
  static Result<OutputFolder> make(const std::filesystem::path& path, bool parents);
  OutputFolder(OutputFolder&& other) noexcept = default;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();

  const std::filesystem::path& path() const noexcept { return path_; }  // absolute

 private:
  explicit OutputFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  // the innermost last
};

}  // namespace pinion::host::cli
