#include "verifying_keys.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <pinion/groth16/digest.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/plugin/error.hpp>
#include <vector>

namespace pinion::filecoin {
namespace {

namespace fs = std::filesystem;

template <class T>
T take(groth16::Result<T> result) {
  if (!result) throw Error(PINION_INVALID_CONFIG, result.error().message);
  return std::move(result).value();
}

std::string digest_of(std::span<const std::uint8_t> bytes) {
  groth16::Blake2b hash;
  hash.update(bytes);
  const auto digest = hash.finish();
  return to_hex(ByteView(digest).first(16));
}

}  // namespace

FoundKey find_verifying_key(const std::string& dir, const ParameterFiles& files, std::uint32_t inputs,
                            bool allow_test_keys) {
  const fs::path vk = fs::path(dir) / files.vk();
  const fs::path params = fs::path(dir) / files.params();
  std::error_code ignored;
  const bool has_vk = fs::exists(vk, ignored);
  if (!has_vk && !fs::exists(params, ignored))
    throw Error(
        PINION_INVALID_CONFIG,
        fmt::format("no verifying key: neither {} nor {} is in {}; fetch the published parameters there, or make "
                    "test keys with `pinion params generate`",
                    files.vk(), files.params(), dir));
  const std::string path = (has_vk ? vk : params).string();
  const auto file = take(groth16::File::open(path));
  // A .vk is exactly the head of its .params, so the published digest of the .vk speaks for both.
  std::vector<std::uint8_t> bytes(groth16::VerifyingKey::encoded_bytes(inputs));
  if (has_vk && file.size() != bytes.size())
    throw Error(PINION_INVALID_CONFIG, fmt::format("{}: {} bytes, a verifying key for {} inputs has {}", path,
                                                   file.size(), inputs, bytes.size()));
  if (const auto read = file.read_exactly(0, bytes); !read) throw Error(PINION_INVALID_CONFIG, read.error().message);

  FoundKey out{{}, path, digest_of(bytes), false};
  out.published = out.digest == files.vk_digest;
  if (!out.published && !allow_test_keys)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: its verifying key has digest {}, the published one {}: fetch the file again, or allow "
                            "test keys if it was made locally",
                            path, out.digest, files.vk_digest));
  out.key = take(groth16::VerifyingKey::decode(bytes, path));
  if (out.key.ic.size() != inputs)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: a key for {} inputs, this circuit has {}", path, out.key.ic.size(), inputs));
  return out;
}

}  // namespace pinion::filecoin
