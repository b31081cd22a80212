// Blake2b-512 of a file, as parameters.json of the trusted setup lists it: the first 32 hexadecimal characters (128
// bits). Source: RFC 7693; rust-fil-proofs storage-proofs-core parameter_cache.rs. Hashing itself is OpenSSL's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <pinion/executor.hpp>
#include <span>
#include <string>

#include "file.hpp"
#include "result.hpp"

struct evp_md_ctx_st;

namespace pinion::groth16 {

class Blake2b {
 public:
  Blake2b();
  void update(std::span<const std::uint8_t> bytes);
  // The whole digest; the object is spent afterwards.
  std::array<std::uint8_t, 64> finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// The same while a file is read for another purpose: its bytes pass by once, in order. One thread at a time.
class FileDigest {
 public:
  explicit FileDigest(const File& file) : file_(file) {}
  // `bytes` stand at `offset` of the file, at or after the end of what was added last; what lies between is read. [any]
  Result<void> add(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  // Reads what was not added, to the end of the file; as file_digest otherwise. Once. [worker]
  Result<std::string> finish(Executor& executor);

 private:
  Result<void> read_to(std::uint64_t end, Executor& executor);

  const File& file_;
  Blake2b hash_;
  std::uint64_t end_ = 0;  // of what is hashed
};

// 32 lowercase hexadecimal characters. Reads the file once with pread, 4 MiB at a time; reports bytes read as progress
// and throws Cancelled when the executor is cancelled. [worker]
Result<std::string> file_digest(const std::string& path, Executor& executor);

}  // namespace pinion::groth16
