#include "key_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <pinion/groth16/digest.hpp>
#include <pinion/groth16/exclusive_file.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/groth16/setup.hpp>
#include <pinion/groth16/verifying_key.hpp>

namespace pinion::filecoin {
namespace {

namespace fs = std::filesystem;

pinion_status status_of(groth16::ErrorCode code) {
  return code == groth16::ErrorCode::invalid_argument ? PINION_INVALID_INPUT : PINION_INVALID_CONFIG;
}
template <class T>
T take(groth16::Result<T> result) {
  if (!result) throw Error(status_of(result.error().code), result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

// Says beside a key file that it is a local one; the format has no room for a mark. Holds the mark's file until the
// keys stand, so that of two runs with the same output the later one is refused before it touches anything. What it
// wrote is taken back unless kept.
class Sidecar {
 public:
  explicit Sidecar(const fs::path& file) : file_(take(groth16::ExclusiveFile::open(file.string() + ".insecure"))) {}
  Sidecar(const Sidecar&) = delete;
  Sidecar& operator=(const Sidecar&) = delete;
  ~Sidecar() {
    // A mark that was there and was not touched belongs to the key that stands beside it.
    if (mine_ && !kept_) file_.unlink();
  }
  void write(const std::string& text) {
    mine_ = true;
    if (::ftruncate(file_.descriptor(), 0) != 0 ||
        ::pwrite(file_.descriptor(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
      throw Error(PINION_INVALID_CONFIG, file_.path() + ": cannot be written: " + std::strerror(errno));
  }
  void keep() { kept_ = true; }

 private:
  groth16::ExclusiveFile file_;
  bool mine_ = file_.bytes_found() == 0;
  bool kept_ = false;
};

std::string sidecar_text(const char* toxic_label) {
  const std::string made = "Made locally by `pinion params generate`, not by the trusted setup.\n";
  if (toxic_label == nullptr)
    return made + "The secrets were drawn and forgotten; trust it as far as the machine it was made on.\n";
  return made + "The secrets follow from the label \"" + toxic_label +
         "\": anybody can forge proofs for this key. For tests only.\n";
}

// What setup holds at most beside the shape: three scalars a variable, and the powers of tau over the domain.
std::uint64_t setup_bytes(const CircuitFacts& facts) {
  const std::uint64_t variables = std::uint64_t{facts.counts.inputs} + facts.counts.aux;
  return facts.shape_bytes() + 96 * variables + 64 * std::bit_ceil(facts.counts.rows);
}

// Digest of a file that must be there; states it, and whether it is the published one.
bool check_digest(const fs::path& path, const std::string& published, Call& call, const FactSink& facts) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw Error(PINION_INVALID_CONFIG, path.string() + ": is missing");
  const std::string digest = take(groth16::file_digest(path.string(), call));
  const bool same = digest == published;
  facts(path.extension().string().substr(1) + " digest",
        same ? digest + " (published)" : fmt::format("{} (published: {})", digest, published));
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
      throw Error(PINION_INVALID_INPUT,
                  path.string() + ": stands there already; parameter files are never overwritten");
  const Reservation memory(call, setup_bytes(*kind.facts));
  const groth16::OwnedShape shape = [&] {
    const Span span(call, "record shape");
    return groth16::build(kind.record(call), call);
  }();
  const auto random = [&](std::span<std::uint8_t> out) { call.random(out); };
  const auto waste =
      toxic_label != nullptr ? groth16::ToxicWaste::from_label(toxic_label) : groth16::ToxicWaste::draw(random);
  for (Sidecar* mark : {&params_mark, &vk_mark}) mark->write(sidecar_text(toxic_label));
  const Span span(call, "setup");
  take(groth16::generate_keys(*shape, waste, {}, {params.string(), vk.string()}, call));
  params_mark.keep();
  vk_mark.keep();
  facts("params", fmt::format("{} ({} bytes)", params.string(), fs::file_size(params)));
  facts("vk", fmt::format("{} ({} bytes)", vk.string(), fs::file_size(vk)));
}

void check_key_files(const ProofKind& kind, const std::string& dir, Call& call, const FactSink& facts) {
  const ParameterFiles& files = kind.files;
  const fs::path params = fs::path(dir) / files.params();
  const fs::path vk = fs::path(dir) / files.vk();
  const bool vk_published = check_digest(vk, files.vk_digest, call, facts);
  const auto key = take(groth16::VerifyingKey::read(vk.string()));
  const auto file = take(groth16::File::open(params.string()));
  const auto layout = take(groth16::ParamsLayout::read(file));
  take(groth16::check_counts(layout.counts, kind.facts->key_counts(), params.string()));
  if (take(groth16::read_verifying_key(file, layout)) != key)
    throw Error(PINION_INVALID_CONFIG, fmt::format("{}: its head is not the key in {}", params.string(), vk.string()));
  if (layout.trailing != 0) facts("trailing bytes", fmt::format("{} after the last point", layout.trailing));
  const bool published = check_digest(params, files.params_digest, call, facts) && vk_published;
  take(groth16::check_queries(file, layout, published ? bls::Check::curve : bls::Check::subgroup, call));
  facts("points", published ? "all on the curve" : "all on the curve and in the subgroup");
  if (!published)
    throw Error(PINION_UNSUPPORTED,
                fmt::format("{}: sound, but not the published files: a local key (see {}.insecure if it was made here)",
                            dir, files.params()));
}

void describe_key_file(const KindTable& kinds, const std::string& path, const FactSink& facts) {
  using groth16::KeySection;
  const bool params = path.ends_with(".params");
  if (!params && !path.ends_with(".vk")) throw Error(PINION_UNSUPPORTED, path + ": neither a .params nor a .vk file");
  const auto file = take(groth16::File::open(path));
  const std::string name = fs::path(path).filename().string();
  for (const ProofKind& kind : kinds.kinds())
    if (name == kind.files.params() || name == kind.files.vk()) facts("kind", kind.id());
  facts("bytes", std::to_string(file.size()));
  if (!params) {
    facts("ic points", std::to_string(take(groth16::VerifyingKey::read(path)).ic.size()));
    return;
  }
  const auto layout = take(groth16::ParamsLayout::read(file));
  for (const KeySection section :
       {KeySection::ic, KeySection::h, KeySection::l, KeySection::a, KeySection::b_g1, KeySection::b_g2})
    facts(fmt::format("{} points", name_of(section)),
          fmt::format("{} at byte {}", layout[section].count, layout[section].offset));
  facts("trailing bytes", std::to_string(layout.trailing));
}

}  // namespace pinion::filecoin
