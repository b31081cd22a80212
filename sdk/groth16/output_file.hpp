// Writes a file that appears under its name only when it is complete, and never in place of another: `.params` of many
// gigabytes are written in pieces, by several threads, in any order.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "result.hpp"

namespace pinion::groth16 {

class OutputFile {
 public:
  // Opens `path`.partial for writing (a leftover of that name is started over). An existing `path` is an error. [any]
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  // Removes the partial file unless commit() succeeded.
  ~OutputFile();

  const std::string& path() const noexcept { return path_; }
  // [worker], several at once
  Result<void> write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const;
  // Flushes to disk and gives the file its name; an error if somebody else took it meanwhile. [worker]
  Result<void> commit();

 private:
  OutputFile(int descriptor, std::string path);
  std::string partial_path() const { return path_ + ".partial"; }
  int descriptor_;
  std::string path_;
};

}  // namespace pinion::groth16
