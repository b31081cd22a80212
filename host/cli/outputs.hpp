// Files and folders that a person asks to be written: what stands in the way is found out before the work, and nothing
// is overwritten that was not meant. Inputs are files.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <pinion/host/base/status.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace pinion::host::cli {

// Each asks, before hours of work, for what would be found out after it. unsupported: something stands at `path`, or
// its folder is not there, takes no file, or has no room. [any]
Status check_output(const std::filesystem::path& path);
// The same for a file that is written anew and again: it may be there, if it is a regular one. [any]
Status check_replaced_output(const std::filesystem::path& path);

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
