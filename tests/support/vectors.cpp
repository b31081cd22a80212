#include <openssl/sha.h>
#include <stdlib.h>
#include <zstd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/test/vectors.hpp>
#include <stdexcept>
#include <system_error>

namespace pinion::test {
namespace fs = std::filesystem;

fs::path small_vectors_dir() {
  return fs::path(PINION_SOURCE_DIR) / "tests" / "vectors";
}

fs::path vectors_dir() {
  if (const char* set = std::getenv("PINION_VECTORS"); set && *set) return set;
  return fs::path(PINION_SOURCE_DIR).parent_path() / "shared" / "vectors";
}

std::optional<fs::path> find_vector(std::string_view relative) {
  for (const auto& root : {small_vectors_dir(), vectors_dir()}) {
    if (auto path = root / relative; fs::exists(path)) return path;
  }
  std::printf("skipped: no vectors (%.*s)\n", static_cast<int>(relative.size()), relative.data());
  return std::nullopt;
}

namespace {

Bytes read_raw(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path.string());
  Bytes bytes(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw std::runtime_error("cannot read " + path.string());
  return bytes;
}

// Streaming, so that frames which do not state their size decompress too.
Bytes decompress(const Bytes& packed, const fs::path& path) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  Bytes out;
  Bytes chunk(ZSTD_DStreamOutSize());
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 1;  // 0 at the end of a frame
  while (in.pos < in.size) {
    ZSTD_outBuffer to{chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(left)) throw std::runtime_error(path.string() + ": zstd: " + ZSTD_getErrorName(left));
    out.insert(out.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(to.pos));
  }
  while (left != 0) {  // input is consumed; the decoder may still hold output
    ZSTD_outBuffer to{chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(left) || to.pos == 0) throw std::runtime_error(path.string() + ": zstd: cut short");
    out.insert(out.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(to.pos));
  }
  return out;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  throw std::invalid_argument(std::string("not a hexadecimal digit: '") + c + "'");
}

}  // namespace

Bytes read_file(const fs::path& path) {
  auto bytes = read_raw(path);
  return path.extension() == ".zst" ? decompress(bytes, path) : bytes;
}

std::string read_text(const fs::path& path) {
  const auto bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

nlohmann::json read_json(const fs::path& path) {
  try {
    return nlohmann::json::parse(read_text(path));
  } catch (const nlohmann::json::parse_error& error) {
    throw std::runtime_error(path.string() + ": " + error.what());
  }
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const auto byte : bytes) {
    out.push_back(digits[byte >> 4U]);
    out.push_back(digits[byte & 15U]);
  }
  return out;
}

Bytes from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) throw std::invalid_argument("an odd number of hexadecimal digits");
  Bytes out;
  out.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    out.push_back(static_cast<std::uint8_t>(16 * digit(digits[i]) + digit(digits[i + 1])));
  }
  return out;
}

std::string sha256_hex(std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, 32> hash{};
  SHA256(bytes.data(), bytes.size(), hash.data());
  return to_hex(hash);
}

TemporaryDirectory::TemporaryDirectory() {
  auto name = (fs::temp_directory_path() / "pinion-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::system_error(errno, std::generic_category(), "mkdtemp " + name);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // a leftover in the temporary folder is no failure of the test
  fs::remove_all(path_, ignored);
}

}  // namespace pinion::test
