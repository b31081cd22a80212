// SHA-256 (FIPS 180-4): of a library, for the digest its manifest may state, and of results, by which people compare
// them.
#pragma once

#include <filesystem>
#include <memory>
#include <pinion/host/base/status.hpp>
#include <span>
#include <string>

namespace pinion::host {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const std::uint8_t> bytes);
  // 64 lower-case hexadecimal digits; nothing may be added afterwards.
  std::string finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// As Sha256::finish. invalid_config: the file cannot be read. [any]
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace pinion::host
