// What is not finished yet: a file or folder `.pinion-tmp-XXXXXX` beside the place where it is to lie, locked (flock)
// as long as its maker lives. It goes with the object; what a killed run leaves carries no lock, and the next run that
// writes there removes it.
#pragma once

#include <filesystem>
#include <pinion/host/base/status.hpp>
#include <string>

namespace pinion::host::cli {

class Temporary {
 public:
  enum class Type { file, folder };

  // In `folder`; mode 0600 or 0700. unsupported: the system's reason. [any]
  static Result<Temporary> make(const std::filesystem::path& folder, Type type);
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary();

  int descriptor() const noexcept { return descriptor_; }  // a file's is for writing
  const std::string& path() const noexcept { return path_; }
  // Its path was renamed: nothing is left to take away.
  void keep() noexcept { path_.clear(); }

 private:
  Temporary(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_;
  std::string path_;
};

// Removes what dead runs of this user left in `folder`; what cannot be removed stays. [any]
void remove_abandoned(const std::filesystem::path& folder);

}  // namespace pinion::host::cli
