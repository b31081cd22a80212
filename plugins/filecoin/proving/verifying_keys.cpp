#include "verifying_keys.hpp"

#include <fmt/format.h>
#include <unistd.h>

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
  std::error_code ignored;
  const auto folder = fs::status(dir, ignored);
  const char* what = !fs::exists(folder)        ? " (there is no such folder)"
                     : fs::is_directory(folder) ? ""
                                                : " (no folder)";
  throw Error(
      PINION_INVALID_CONFIG,
      fmt::format("no keys for {0} {1}: fetch the published parameters, or make test keys with\n"
                  "  pinion params generate {0} --size {1} --out {2}\nlooked for there{4}: {3}, .vk and .params",
                  kind.family, sector_name(kind.size), shell_word(dir), kind.files.stem, what));
}

// Whether it is there; what may not be looked at is not absent.
bool is_there(const std::string& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  if (error)
    throw Error(PINION_INVALID_CONFIG, fmt::format("{}: {}: user {} must be able to read it, and to search its folder",
                                                   shown(path), error.message(), ::geteuid()));
  return found;
}

// The first `out.size()` bytes, which are a verifying key.
void read_head(const groth16::File& file, std::span<std::uint8_t> out) {
  take(file.read_exactly(0, out));
}

[[noreturn]] void refuse_size(const std::string& path, std::uint64_t bytes, std::uint64_t expected) {
  const bool vk = path.ends_with(".vk");
  throw Error(PINION_INVALID_CONFIG,
              fmt::format("{}: {} bytes, and the verifying key {} has {}: {}; fetch it again, or make the keys anew in "
                          "another folder",
                          shown(path), bytes, vk ? "of this circuit" : "at its head", expected,
                          bytes < expected ? "it is cut short" : "it is another circuit's"));
}

// Files of two different keys would make proofs that never verify.
void check_pair(const std::string& vk, std::span<const std::uint8_t> key, const std::string& params) {
  std::vector<std::uint8_t> head(key.size());
  const auto file = take(groth16::File::open(params));
  if (file.size() < head.size()) refuse_size(params, file.size(), head.size());
  read_head(file, head);
  if (!std::equal(head.begin(), head.end(), key.begin()))
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: its head is not the key in {}: the two are not of one key; fetch both again, or make "
                            "both anew in another folder",
                            shown(params), shown(vk)));
}

}  // namespace

FoundKey find_verifying_key(const std::string& dir, const ProofKind& kind, bool allow_test_keys) {
  const std::uint32_t inputs = kind.facts->counts.inputs;
  const std::string vk = (fs::path(dir) / kind.files.vk()).string();
  const std::string params = (fs::path(dir) / kind.files.params()).string();
  const bool has_vk = is_there(vk);
  const bool has_params = is_there(params);
  if (!has_vk && !has_params) refuse_absent(dir, kind);
  const std::string& path = has_vk ? vk : params;
  const auto file = take(groth16::File::open(path));
  // A .vk is exactly the head of its .params, so the published digest of the .vk speaks for both.
  std::vector<std::uint8_t> bytes(groth16::VerifyingKey::encoded_bytes(inputs));
  if (has_vk ? file.size() != bytes.size() : file.size() < bytes.size()) refuse_size(path, file.size(), bytes.size());
  read_head(file, bytes);

  FoundKey out{{}, path, digest_of(bytes), false, {}};
  out.published = out.digest == kind.files.vk_digest;
  out.params_digest = out.published ? kind.files.params_digest : recorded_digest(params).value_or("");
  if (!out.published && !allow_test_keys)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: its verifying key has digest {}, the published one {}: fetch the file again or, "
                            "if it was made here for tests, set params.allow_test_keys = true",
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
