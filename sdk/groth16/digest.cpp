#include "digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cassert>
#include <vector>

namespace pinion::groth16 {

namespace {
// OpenSSL fails here only when it lacks memory or the algorithm was configured away.
void require(int ok) {
  if (ok != 1) throw std::runtime_error("OpenSSL refused Blake2b-512");
}
}  // namespace

void Blake2b::Free::operator()(evp_md_ctx_st* context) const noexcept {
  EVP_MD_CTX_free(context);
}

Blake2b::Blake2b() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr);
  require(EVP_DigestInit_ex(context_.get(), EVP_blake2b512(), nullptr));
}

void Blake2b::update(std::span<const std::uint8_t> bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::array<std::uint8_t, 64> Blake2b::finish() {
  std::array<std::uint8_t, 64> out;
  unsigned length = 0;
  require(EVP_DigestFinal_ex(context_.get(), out.data(), &length));
  return out;
}

Result<void> FileDigest::add(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  assert(offset >= end_);
  SerialExecutor serial;  // usually there is nothing between
  if (auto between = read_to(offset, serial); !between) return between;
  hash_.update(bytes);
  end_ += bytes.size();
  return {};
}

Result<std::string> FileDigest::finish(Executor& executor) {
  if (auto rest = read_to(file_.size(), executor); !rest) return rest.error();
  std::string hex;
  const auto digest = hash_.finish();
  for (std::size_t i = 0; i < 16; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

Result<void> FileDigest::read_to(std::uint64_t end, Executor& executor) {
  constexpr std::uint64_t chunk_bytes = std::uint64_t{4} << 20;
  std::vector<std::uint8_t> chunk(static_cast<std::size_t>(std::min(chunk_bytes, end - end_)));
  while (end_ < end) {
    executor.check();
    const std::span<std::uint8_t> bytes =
        std::span(chunk).first(static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), end - end_)));
    if (auto read = file_.read_exactly(end_, bytes); !read) return read;
    hash_.update(bytes);
    end_ += bytes.size();
    executor.progress(end_, file_.size());
  }
  return {};
}

Result<std::string> file_digest(const std::string& path, Executor& executor) {
  auto file = File::open(path);
  if (!file) return file.error();
  return FileDigest(*file).finish(executor);
}

}  // namespace pinion::groth16
