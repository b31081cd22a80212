#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <memory>
#include <pinion/filecoin/digest.hpp>
#include <stdexcept>
#include <vector>

namespace pinion::filecoin {
namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, Deleter<Free>>;

void require(bool done, const char* what) {
  if (done) return;
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  throw std::runtime_error(std::string("libcrypto: ") + what + " failed: " + reason.data());
}

template <std::size_t N>
std::array<std::uint8_t, N> digest(const EVP_MD* algorithm, const char* name, std::initializer_list<ByteView> parts) {
  const Owned<EVP_MD_CTX, EVP_MD_CTX_free> context(EVP_MD_CTX_new());
  require(context && EVP_DigestInit_ex(context.get(), algorithm, nullptr) == 1, name);
  for (const ByteView part : parts) require(EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1, name);
  std::array<std::uint8_t, N> out{};
  unsigned written = 0;
  require(EVP_DigestFinal_ex(context.get(), out.data(), &written) == 1 && written == N, name);
  return out;
}

}  // namespace

Bytes32 sha256(std::initializer_list<ByteView> parts) {
  return digest<32>(EVP_sha256(), "SHA-256", parts);
}

std::array<std::uint8_t, 64> blake2b_512(std::initializer_list<ByteView> parts) {
  return digest<64>(EVP_blake2b512(), "Blake2b-512", parts);
}

Bytes32 blake2b_256_keyed(ByteView key, std::initializer_list<ByteView> parts) {
  constexpr const char* name = "keyed Blake2b-256";
  const Owned<EVP_MAC, EVP_MAC_free> algorithm(EVP_MAC_fetch(nullptr, "BLAKE2BMAC", nullptr));
  require(algorithm != nullptr, name);
  const Owned<EVP_MAC_CTX, EVP_MAC_CTX_free> context(EVP_MAC_CTX_new(algorithm.get()));
  std::size_t size = 32;
  const std::array<OSSL_PARAM, 2> params{OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                         OSSL_PARAM_construct_end()};
  require(context && EVP_MAC_init(context.get(), key.data(), key.size(), params.data()) == 1, name);
  for (const ByteView part : parts) require(EVP_MAC_update(context.get(), part.data(), part.size()) == 1, name);
  Bytes32 out{};
  std::size_t written = 0;
  require(EVP_MAC_final(context.get(), out.data(), &written, out.size()) == 1 && written == out.size(), name);
  return out;
}

void ChaCha20::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  constexpr const char* name = "ChaCha20";
  constexpr std::uint64_t block = 64;
  // libcrypto's IV is the 32-bit block counter followed by the nonce.
  std::array<std::uint8_t, 16> iv{};
  const auto counter = little_endian<4>(offset / block);
  std::copy(counter.begin(), counter.end(), iv.begin());
  std::copy(nonce_.begin(), nonce_.end(), iv.begin() + 4);
  const Owned<EVP_CIPHER_CTX, EVP_CIPHER_CTX_free> context(EVP_CIPHER_CTX_new());
  require(context && EVP_EncryptInit_ex(context.get(), EVP_chacha20(), nullptr, key_.data(), iv.data()) == 1, name);
  // Encrypting zeros gives the keystream; the first pass drops what lies before `offset` in its block.
  static constexpr std::array<std::uint8_t, 4096> zeros{};
  std::array<std::uint8_t, block> skipped{};
  int written = 0;
  require(
      EVP_EncryptUpdate(context.get(), skipped.data(), &written, zeros.data(), static_cast<int>(offset % block)) == 1,
      name);
  while (!out.empty()) {
    const std::size_t part = std::min(out.size(), zeros.size());
    require(EVP_EncryptUpdate(context.get(), out.data(), &written, zeros.data(), static_cast<int>(part)) == 1, name);
    out = out.subspan(part);
  }
}

std::string to_hex(ByteView bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

}  // namespace pinion::filecoin
