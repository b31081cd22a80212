#include "plugin.hpp"

#include <array>

#include "key_files.hpp"
#include "kind_resources.hpp"
#include "session.hpp"
#include "shape_residents.hpp"
#include "verifying_keys.hpp"

namespace pinion::filecoin {
namespace {

// `flags`: PINION_REQUEST_.
FoundKey find_key(const std::string& params_dir, const ProofKind& kind, std::uint32_t flags) {
  FoundKey key = find_verifying_key(params_dir, kind, (flags & PINION_REQUEST_TEST_KEYS) != 0);
  if ((flags & PINION_REQUEST_TRUST_FILES) != 0) key.params_digest.clear();
  return key;
}

}  // namespace

std::unique_ptr<Session> ProofPlugin::open(const pinion_request& request, Call& call) {
  const Span span(call, "parse");
  Read parsed = read(request);
  const ProofKind& kind = *parsed.kind;
  FoundKey key = find_key(request.params_dir, kind, request.flags);
  if (!key.published) host_.warn(kind.id() + ": test keys, not the published ones: no chain accepts such proofs");
  return std::make_unique<ProofSession>(std::move(parsed.statement), kinds_, kind, std::move(key), request.params_dir);
}

void ProofPlugin::resources_of(const pinion_kind& kind, const std::string& params_dir, std::uint32_t flags,
                               const ResourceSink& sink) {
  const ProofKind& own = kinds_.of(kind);
  const KindResources resources(own, find_key(params_dir, own, flags), params_dir);
  for (const pinion_resource* resource : resources.all()) sink(*resource);
}

std::span<const char* const> ProofPlugin::resident_formats() const noexcept {
  static constexpr std::array<const char*, 1> formats{PINION_SHAPE_R1CS};
  return formats;
}

pinion_resident_info ProofPlugin::describe_resident(const pinion_resource& resource, std::int32_t device) {
  return describe_shape(kinds_.of_shape(resource), device);
}

std::unique_ptr<Resident> ProofPlugin::load_resident(const pinion_resource& resource, std::int32_t device,
                                                     std::span<const std::uint8_t> source, const pinion_buffer* buffer,
                                                     Call& call) {
  return load_shape(kinds_.of_shape(resource), device, source, buffer, call);
}

void ProofPlugin::generate_keys(const pinion_kind& kind, const std::string& dir, const char* toxic_label, Call& call,
                                const FactSink& facts) {
  generate_key_files(kinds_.of(kind), dir, toxic_label, call, facts);
}

void ProofPlugin::check_keys(const pinion_kind& kind, const std::string& dir, Call& call, const FactSink& facts) {
  check_key_files(kinds_.of(kind), dir, call, facts);
}

void ProofPlugin::describe_keys(const std::string& file, const FactSink& facts) {
  describe_key_file(kinds_, file, facts);
}

}  // namespace pinion::filecoin
