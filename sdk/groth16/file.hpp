// File: a regular file opened for reading, whose errors say which path and which bytes. Positional reads only, so that
// several threads may share one.
#pragma once

#include <cstdint>
#include <pinion/printable.hpp>
#include <span>
#include <string>

#include "result.hpp"

namespace pinion::groth16 {

class File {
 public:
  // Refuses what is not a regular file. [any]
  static Result<File> open(const std::string& path);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  const std::string& path() const noexcept { return path_; }
  // The same as messages have it. [any]
  std::string name() const { return shown(path_); }
  // Bytes, as of open().
  std::uint64_t size() const noexcept { return size_; }
  // Fills `out` from `offset` on; a file that became shorter is an error (truncated). [worker]
  Result<void> read_exactly(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  File(int descriptor, std::string path, std::uint64_t size);
  int descriptor_;
  std::string path_;
  std::uint64_t size_;
};

}  // namespace pinion::groth16
