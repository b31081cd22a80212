#include "verifying_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <pinion/groth16/digest.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/plugin/error.hpp>
#include <pinion/printable.hpp>
#include <vector>

#include "sidecar.hpp"

namespace pinion::filecoin {
namespace {

namespace fs = std::filesystem;

template <class T>
T take(groth16::Result<T> result) {
  if (!result) throw Error(PINION_INVALID_CONFIG, result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

std::string digest_of(std::span<const std::uint8_t> bytes) {
  groth16::Blake2b hash;
  hash.update(bytes);
  const auto digest = hash.finish();
  return to_hex(ByteView(digest).first(16));
}

// As a shell reads it back: quoted where it holds more than plain names do.
std::string shell_word(const std::string& text) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("/._-+:@", c) != nullptr; };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

[[noreturn]] void refuse_absent(const std::string& dir, const ProofKind& kind) {
  throw Error(PINION_INVALID_CONFIG,
              fmt::format("no keys for {0} {1}: fetch the published parameters, or make test keys with\n"
                          "  pinion params generate {0} --size {1} --out {2}\nlooked for there: {3}, .vk and .params",
                          kind.family, sector_name(kind.size), shell_word(dir), kind.files.stem));
}

// The first `out.size()` bytes, which are a verifying key.
void read_head(const groth16::File& file, std::span<std::uint8_t> out) {
  take(file.read_exactly(0, out));
}

// Files of two different keys would make proofs that never verify.
void check_pair(const std::string& vk, std::span<const std::uint8_t> key, const std::string& params) {
  std::vector<std::uint8_t> head(key.size());
  read_head(take(groth16::File::open(params)), head);
  if (!std::equal(head.begin(), head.end(), key.begin()))
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: its head is not the key in {}: the two are not of one key", shown(params), shown(vk)));
}

}  // namespace

FoundKey find_verifying_key(const std::string& dir, const ProofKind& kind, bool allow_test_keys) {
  const std::uint32_t inputs = kind.facts->counts.inputs;
  const std::string vk = (fs::path(dir) / kind.files.vk()).string();
  const std::string params = (fs::path(dir) / kind.files.params()).string();
  std::error_code ignored;
  const bool has_vk = fs::exists(vk, ignored);
  const bool has_params = fs::exists(params, ignored);
  if (!has_vk && !has_params) refuse_absent(dir, kind);
  const std::string& path = has_vk ? vk : params;
  const auto file = take(groth16::File::open(path));
  // A .vk is exactly the head of its .params, so the published digest of the .vk speaks for both.
  std::vector<std::uint8_t> bytes(groth16::VerifyingKey::encoded_bytes(inputs));
  if (has_vk && file.size() != bytes.size())
    throw Error(PINION_INVALID_CONFIG, fmt::format("{}: {} bytes, a verifying key for {} inputs has {}", shown(path),
                                                   file.size(), inputs, bytes.size()));
  read_head(file, bytes);

  FoundKey out{{}, path, digest_of(bytes), false, {}};
  out.published = out.digest == kind.files.vk_digest;
  out.params_digest = out.published ? kind.files.params_digest : recorded_digest(params).value_or("");
  if (!out.published && !allow_test_keys)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: its verifying key has digest {}, the published one {}: fetch the file again, or allow "
                            "test keys if it was made locally",
                            shown(path), out.digest, kind.files.vk_digest));
  if (const auto made_with = recorded_digest(vk); !out.published && made_with && *made_with != out.digest)
    throw Error(PINION_INVALID_CONFIG, changed_key(path, out.digest, *made_with));
  if (has_vk && has_params) check_pair(vk, bytes, params);
  out.key = take(groth16::VerifyingKey::decode(bytes, shown(path)));
  if (out.key.ic.size() != inputs)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: a key for {} inputs, this circuit has {}", shown(path), out.key.ic.size(), inputs));
  return out;
}

}  // namespace pinion::filecoin
