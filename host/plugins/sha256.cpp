#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <new>
#include <pinion/host/plugins/sha256.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {

struct Sha256::Context {
  EVP_MD_CTX* handle = EVP_MD_CTX_new();
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(handle); }
};

// libcrypto has SHA-256 in every build there is, so that only memory can be missing.
Sha256::Sha256() : context_(std::make_unique<Context>()) {
  if (!context_->handle || EVP_DigestInit_ex(context_->handle, EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::uint8_t> bytes) {
  EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size());
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned bytes = 0;
  EVP_DigestFinal_ex(context_->handle, digest.data(), &bytes);
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(Code::invalid_config, fmt::format("{} cannot be read", shown(path)));
  Sha256 digest;
  std::array<std::uint8_t, 1 << 16> block{};
  while (file) {
    file.read(reinterpret_cast<char*>(block.data()), block.size());
    digest.add({block.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof()) return Status(Code::invalid_config, fmt::format("{} cannot be read to its end", shown(path)));
  return digest.finish();
}

}  // namespace pinion::host
