// Writes a file that appears under its name only when it is complete, and never in place of another: `.params` of many
// gigabytes are written in pieces, by several threads, in any order.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "exclusive_file.hpp"
#include "result.hpp"

namespace pinion::groth16 {

class OutputFile {
 public:
  // Opens `path`.partial for writing; a leftover of that name is started over, one that another run still writes is an
  // error, and so is an existing `path`. [any]
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  // Removes the partial file unless commit() succeeded.
  ~OutputFile();

  const std::string& path() const noexcept { return path_; }
  // Takes room on the disk for the first `bytes` bytes, so that a disk too full is known before the work; does nothing
  // where the file system cannot. [worker]
  Result<void> reserve(std::uint64_t bytes) const;
  // [worker], several at once
  Result<void> write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const;
  // Flushes to disk and gives the file its name; an error if somebody else took it meanwhile. [worker]
  Result<void> commit();

 private:
  OutputFile(ExclusiveFile partial, std::string path);

  ExclusiveFile partial_;
  std::string path_;
  bool unfinished_ = true;
};

}  // namespace pinion::groth16
