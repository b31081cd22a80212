#include "digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <vector>

#include "file.hpp"

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

Result<std::string> file_digest(const std::string& path, Executor& executor) {
  auto file = File::open(path);
  if (!file) return file.error();
  Blake2b hash;
  std::vector<std::uint8_t> chunk(std::size_t{4} << 20);
  for (std::uint64_t offset = 0; offset < file->size();) {
    executor.check();
    const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), file->size() - offset));
    const std::span<std::uint8_t> bytes(chunk.data(), length);
    if (auto read = file->read_exactly(offset, bytes); !read) return read.error();
    hash.update(bytes);
    offset += length;
    executor.progress(offset, file->size());
  }
  std::string hex;
  const auto digest = hash.finish();
  for (std::size_t i = 0; i < 16; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace pinion::groth16
