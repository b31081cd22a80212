#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <pinion/host/plugins/sha256.hpp>

namespace pinion::host {

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(Code::invalid_config, fmt::format("{} cannot be read", path.string()));
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
    return Status(Code::internal, "libcrypto has no SHA-256");
  std::array<char, 1 << 16> block{};
  while (file) {
    file.read(block.data(), block.size());
    EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) return Status(Code::invalid_config, fmt::format("{} cannot be read to its end", path.string()));
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned bytes = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &bytes);
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace pinion::host
