// A file that this process alone writes: held by an advisory lock (flock) as long as the object lives, so that two runs
// with the same output do not write into one another. What a crashed run left behind carries no lock and is taken over.
#pragma once

#include <cstdint>
#include <string>

#include "result.hpp"

namespace pinion::groth16 {

class ExclusiveFile {
 public:
  // Opens `path` for writing, made when absent, its content kept. `write`: somebody else holds it, or it is a link or
  // no regular file, or the system refuses. [any]
  static Result<ExclusiveFile> open(const std::string& path);
  ExclusiveFile(ExclusiveFile&& other) noexcept;
  ExclusiveFile& operator=(ExclusiveFile&&) = delete;
  // Lets go of the file and leaves it where it is.
  ~ExclusiveFile();

  int descriptor() const noexcept { return descriptor_; }
  const std::string& path() const noexcept { return path_; }
  // As it was when opened; 0 for a new file.
  std::uint64_t bytes_found() const noexcept { return bytes_found_; }
  // Takes its name away. [any]
  void unlink() const noexcept;

 private:
  ExclusiveFile(int descriptor, std::string path);
  bool lock();
  // The file locked is the one that has the name: another run may have removed or renamed it in between.
  bool is_still_there();

  int descriptor_;
  std::string path_;
  std::uint64_t bytes_found_ = 0;
};

}  // namespace pinion::groth16
