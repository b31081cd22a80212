#include "key_files.hpp"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <pinion/groth16/digest.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/groth16/setup.hpp>
#include <pinion/groth16/verifying_key.hpp>
#include <pinion/printable.hpp>

#include "sidecar.hpp"

namespace pinion::filecoin {
namespace {

namespace fs = std::filesystem;

pinion_status status_of(groth16::ErrorCode code) {
  if (code == groth16::ErrorCode::invalid_argument) return PINION_INVALID_INPUT;
  return code == groth16::ErrorCode::write ? PINION_UNSUPPORTED : PINION_INVALID_CONFIG;
}
template <class T>
T take(groth16::Result<T> result) {
  if (!result) throw Error(status_of(result.error().code), result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

// What setup holds at most beside the shape: three scalars a variable, and the powers of tau over the domain.
std::uint64_t setup_bytes(const CircuitFacts& facts) {
  const std::uint64_t variables = std::uint64_t{facts.counts.inputs} + facts.counts.aux;
  return facts.shape_bytes() + 96 * variables + 64 * std::bit_ceil(facts.counts.rows);
}

// States the digest of a file; whether it is the published one. A local file must have the one it was made with.
bool check_digest(const fs::path& path, const std::string& digest, const std::string& published,
                  const FactSink& facts) {
  const bool same = digest == published;
  facts(path.extension().string().substr(1) + " digest",
        same ? digest + " (published)" : fmt::format("{} (published: {})", digest, published));
  if (const auto made_with = recorded_digest(path); !same && made_with && *made_with != digest)
    throw Error(PINION_INVALID_CONFIG, changed_key(path, digest, *made_with));
  return same;
}

// Every point of the file, and its digest, which is the published one or else that of a local key: read once.
bool check_points(const groth16::File& file, const groth16::ParamsLayout& layout, bls::Check check,
                  const std::string& published, Call& call, const FactSink& facts) {
  const Reservation memory(call, groth16::check_queries_bytes(call.width()));
  groth16::FileDigest digest(file);
  const auto sound = groth16::check_queries(file, layout, check, digest, call);
  if (!sound && sound.error().code != groth16::ErrorCode::malformed) take(sound);  // it could not be read
  // That the file changed since it was made says more than which point did.
  const bool same = check_digest(file.path(), take(digest.finish(call)), published, facts);
  take(sound);
  return same;
}

}  // namespace

void generate_key_files(const ProofKind& kind, const std::string& dir, const char* toxic_label, Call& call,
                        const FactSink& facts) {
  const fs::path params = fs::path(dir) / kind.files.params();
  const fs::path vk = fs::path(dir) / kind.files.vk();
  // The marks first: a local key never stands without one, and nobody else makes the same keys meanwhile.
  Sidecar params_mark(params);
  Sidecar vk_mark(vk);
  for (const fs::path& path : {params, vk})
    if (fs::exists(fs::symlink_status(path)))
      throw Error(PINION_UNSUPPORTED, shown(path) + ": stands there already; parameter files are never overwritten");
  const Reservation memory(call, setup_bytes(*kind.facts));
  const groth16::OwnedShape shape = [&] {
    const Span span(call, "record shape");
    return groth16::build(kind.record(call), call);
  }();
  const auto random = [&](std::span<std::uint8_t> out) { call.random(out); };
  const auto waste =
      toxic_label != nullptr ? groth16::ToxicWaste::from_label(toxic_label) : groth16::ToxicWaste::draw(random);
  for (Sidecar* mark : {&params_mark, &vk_mark}) mark->begin(toxic_label);
  const Span span(call, "setup");
  take(groth16::generate_keys(*shape, waste, {}, {params.string(), vk.string()}, call));
  params_mark.keep(take(groth16::file_digest(params.string(), call)));
  vk_mark.keep(take(groth16::file_digest(vk.string(), call)));
  facts("params", fmt::format("{} ({} bytes)", shown(params), fs::file_size(params)));
  facts("vk", fmt::format("{} ({} bytes)", shown(vk), fs::file_size(vk)));
}

void check_key_files(const ProofKind& kind, const std::string& dir, Call& call, const FactSink& facts) {
  const ParameterFiles& files = kind.files;
  const fs::path params = fs::path(dir) / files.params();
  const fs::path vk = fs::path(dir) / files.vk();
  std::error_code ignored;
  if (!fs::exists(vk, ignored)) throw Error(PINION_INVALID_CONFIG, shown(vk) + ": is missing");
  const auto key = take(groth16::VerifyingKey::read(vk.string()));  // before its digest: bounds how much is read
  const bool vk_published = check_digest(vk, take(groth16::file_digest(vk.string(), call)), files.vk_digest, facts);
  const auto file = take(groth16::File::open(params.string()));
  const auto layout = take(groth16::ParamsLayout::read(file));
  take(groth16::check_counts(layout.counts, kind.facts->key_counts(), params.string()));
  if (take(groth16::read_verifying_key(file, layout)) != key)
    throw Error(PINION_INVALID_CONFIG, fmt::format("{}: its head is not the key in {}", shown(params), shown(vk)));
  if (layout.trailing != 0) facts("trailing bytes", fmt::format("{} after the last point", layout.trailing));
  // Points of a published file are known to be in the subgroup; whether it is one shows only at its end.
  const auto check = vk_published ? bls::Check::curve : bls::Check::subgroup;
  const bool published = check_points(file, layout, check, files.params_digest, call, facts);
  facts("points", vk_published ? "all on the curve" : "all on the curve and in the subgroup");
  if (published && vk_published) return;
  if (vk_published)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: not the published file, though the .vk beside it is: fetch it again", shown(params)));
  throw Error(PINION_UNSUPPORTED,
              fmt::format("{}: sound, but not the published files: a local key (see {}.insecure if it was made here)",
                          shown(dir), files.params()));
}

namespace {

// The kind a key file is of: by its name or, renamed, every kind that its counts allow. Throws UNSUPPORTED when it is
// none of these.
template <class SameCounts>
std::string kind_text(const KindTable& kinds, const std::string& path, SameCounts&& same_counts) {
  const std::string name = fs::path(path).filename().string();
  std::string possible;
  for (const ProofKind& kind : kinds.kinds()) {
    if (name == kind.files.params() || name == kind.files.vk()) return kind.id();
    if (same_counts(*kind.facts)) possible += (possible.empty() ? "" : " or ") + kind.id();
  }
  if (possible.empty())
    throw Error(PINION_UNSUPPORTED, shown(path) + ": neither by name nor by size a key of these proofs");
  return possible;
}

void describe_verifying_key(const KindTable& kinds, const std::string& path, const FactSink& facts) {
  const std::size_t inputs = take(groth16::VerifyingKey::read(path)).ic.size();
  facts("kind", kind_text(kinds, path, [&](const CircuitFacts& known) { return known.counts.inputs == inputs; }));
  facts("bytes", std::to_string(fs::file_size(path)));
  facts("ic points", std::to_string(inputs));
}

}  // namespace

void describe_key_file(const KindTable& kinds, const std::string& path, const FactSink& facts) {
  using groth16::KeySection;
  if (path.ends_with(".vk")) return describe_verifying_key(kinds, path, facts);
  if (!path.ends_with(".params")) throw Error(PINION_UNSUPPORTED, shown(path) + ": neither a .params nor a .vk file");
  const auto file = take(groth16::File::open(path));
  const auto layout = take(groth16::ParamsLayout::read(file));
  facts("kind", kind_text(kinds, path, [&](const CircuitFacts& known) { return known.key_counts() == layout.counts; }));
  facts("bytes", std::to_string(file.size()));
  for (const KeySection section :
       {KeySection::ic, KeySection::h, KeySection::l, KeySection::a, KeySection::b_g1, KeySection::b_g2})
    facts(fmt::format("{} points", name_of(section)),
          fmt::format("{} at byte {}", layout[section].count, layout[section].offset));
  facts("trailing bytes", std::to_string(layout.trailing));
}

}  // namespace pinion::filecoin
