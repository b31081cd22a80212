#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/plugins/manifest.hpp>
#include <pinion/host/plugins/proof.hpp>
#include <pinion/printable.hpp>
#include <utility>

namespace pinion::host {
namespace {

constexpr std::uint32_t most_kinds = 256;
constexpr std::uint32_t most_partitions = 1024;
constexpr std::size_t most_resources = 64;
constexpr std::uint64_t most_proof_bytes = std::uint64_t{1} << 24;

std::string text_or_empty(const char* text) {
  return text ? text : "";
}

bool is_named(const pinion_resource* resource) noexcept {
  return resource != nullptr && resource->id != nullptr && resource->format != nullptr;
}

// Gate 5 for one kind.
Result<Kind> read_kind(const pinion_kind* raw, const std::string& plugin) {
  if (raw == nullptr)
    return Status(Code::invalid_config, fmt::format("{} lists a kind that is a null pointer", plugin));
  pinion_kind theirs{};
  if (Status status = adopt_struct(raw, plugin, "a pinion_kind", theirs); !status.ok()) return status;
  Kind kind;
  kind.id = text_or_empty(theirs.id);
  const auto refuse = [&](std::string what) {
    return Status(Code::invalid_config, fmt::format("{} describes its kind \"{}\" wrongly: {}", plugin, kind.id, what));
  };
  if (!valid_plugin_id(kind.id)) return refuse("id is not [a-z0-9-] of at most 63 characters");
  kind.family = text_or_empty(theirs.family);
  if (!valid_plugin_id(kind.family))
    return refuse(fmt::format("family {} is not [a-z0-9-] of at most 63 characters", in_quotes(kind.family)));
  kind.title = text_or_empty(theirs.title);
  if (kind.title.empty()) kind.title = kind.id;
  kind.sector = Bytes(theirs.sector_bytes);
  if (theirs.priority < PINION_PRIORITY_LOW || theirs.priority > PINION_PRIORITY_CRITICAL)
    return refuse(fmt::format("priority is {}, expected {} to {}", theirs.priority, PINION_PRIORITY_LOW,
                              PINION_PRIORITY_CRITICAL));
  if (theirs.format_count == 0 || theirs.format_count > 64 || theirs.formats == nullptr)
    return refuse(fmt::format("{} job formats, expected 1 to 64{}", theirs.format_count,
                              theirs.formats == nullptr ? ", and formats is a null pointer" : ""));
  if (theirs.file_count > 64 || (theirs.file_count > 0 && theirs.files == nullptr))
    return refuse(fmt::format("{} files, expected at most 64", theirs.file_count));
  for (std::uint32_t i = 0; i < theirs.format_count; ++i) kind.formats.push_back(text_or_empty(theirs.formats[i]));
  if (std::find(kind.formats.begin(), kind.formats.end(), "") != kind.formats.end())
    return refuse("a job format has no name");
  for (std::uint32_t i = 0; i < theirs.file_count; ++i) {
    const pinion_kind_file& file = theirs.files[i];
    kind.files.push_back({text_or_empty(file.name), text_or_empty(file.digest), Bytes(file.bytes)});
  }
  kind.wire_label = text_or_empty(theirs.wire_label);
  kind.wire_circuit = text_or_empty(theirs.wire_circuit);
  kind.wire_kind = theirs.wire_kind;
  kind.priority = theirs.priority;
  kind.parse_percent = theirs.parse_percent;
  kind.raw = raw;
  return kind;
}

}  // namespace

Result<std::shared_ptr<ProofPlugin>> ProofPlugin::open(std::shared_ptr<Instance> instance) {
  auto table = instance->table<pinion_proof>();
  if (!table) return table.status();
  std::shared_ptr<ProofPlugin> proof(new ProofPlugin(std::move(instance), *table));
  if (Status status = proof->read_kinds(); !status.ok()) return status;
  return proof;
}

Status ProofPlugin::read_kinds() {
  std::uint32_t count = 0;
  const pinion_kind* const* theirs = nullptr;
  if (auto status = instance_->call("kinds", [&] { theirs = table_.kinds(instance_->self(), &count); }); !status.ok())
    return status;
  if (count == 0 || count > most_kinds || theirs == nullptr)
    return Status(Code::invalid_config, fmt::format("{} lists {} kinds, expected 1 to {}", id(), count, most_kinds));
  for (std::uint32_t i = 0; i < count; ++i) {
    auto kind = read_kind(theirs[i], id());
    if (!kind) return kind.status();
    const auto same = [&](const Kind& other) { return other.id == kind->id; };
    if (std::any_of(kinds_.begin(), kinds_.end(), same))
      return Status(Code::invalid_config, fmt::format("{} lists the kind \"{}\" twice", id(), kind->id));
    kinds_.push_back(std::move(*kind));
  }
  return {};
}

Result<ProofSession> ProofPlugin::open_session(const pinion_request& request, const pinion_call* call) {
  void* session = nullptr;
  const pinion_kind* raw = nullptr;
  const Status status = instance_->call(
      "open", [&](pinion_error* err) { return table_.open(instance_->self(), &request, call, &session, &raw, err); });
  if (!status.ok()) return status;
  if (session == nullptr) return instance_->broken_rule("open", "it succeeded but gave no session");
  const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& known) { return known.raw == raw; });
  ProofSession opened(shared_from_this(), session, kind == kinds_.end() ? nullptr : &*kind);
  if (kind == kinds_.end()) return instance_->broken_rule("open", "it gave a kind that it does not list");
  if (kind->family != text_or_empty(request.family))
    return instance_->broken_rule("open",
                                  fmt::format("it was asked for the family {} and gave {}, of the family \"{}\"",
                                              in_quotes(text_or_empty(request.family)), kind->id, kind->family));
  return opened;
}

Result<std::vector<Resource>> ProofPlugin::resources_of(const Kind& kind, const std::string& params_dir,
                                                        std::uint32_t flags) const {
  if (table_.resources_of == nullptr)
    return Status(Code::unsupported, fmt::format("{} does not say what a kind needs loaded", id()));
  struct Named {
    std::vector<Resource> resources;
    bool wrong = false;
  } named;
  const pinion_resource_sink sink{&named, [](void* context, const pinion_resource* theirs) {
                                    Named& all = *static_cast<Named*>(context);
                                    all.wrong =
                                        all.wrong || !is_named(theirs) || all.resources.size() == most_resources;
                                    if (!all.wrong) all.resources.emplace_back(*theirs);
                                  }};
  const Status status = instance_->call("resources_of", [&](pinion_error* err) {
    return table_.resources_of(instance_->self(), kind.raw, params_dir.c_str(), flags, &sink, err);
  });
  if (!status.ok()) return status;
  if (named.wrong)
    return instance_->broken_rule("resources_of",
                                  fmt::format("a resource without id or format, or more than {}", most_resources));
  return std::move(named.resources);
}

ProofSession::ProofSession(ProofSession&& other) noexcept
    : plugin_(std::move(other.plugin_)), session_(std::exchange(other.session_, nullptr)), kind_(other.kind_) {}

ProofSession::~ProofSession() {
  if (session_ == nullptr) return;
  (void)plugin_->instance_->call("close", [&] { plugin_->table_.close(plugin_->instance_->self(), session_); });
}

Result<ProofPlan> ProofSession::plan(const std::string& format) const {
  pinion_plan theirs{};
  theirs.size = sizeof theirs;
  const Status status = plugin_->instance_->call("plan", [&](pinion_error* err) {
    return plugin_->table_.plan(plugin_->instance_->self(), session_, format.c_str(), &theirs, err);
  });
  if (!status.ok()) return status;
  if (theirs.partitions == 0 || theirs.partitions > most_partitions)
    return plugin_->instance_->broken_rule(
        "plan", fmt::format("{} partitions, expected 1 to {}", theirs.partitions, most_partitions));
  if (theirs.part_bytes == 0 || theirs.part_bytes > most_part_bytes)
    return plugin_->instance_->broken_rule("plan", fmt::format("a part of {} bytes", theirs.part_bytes));
  if (theirs.proof_bytes > most_proof_bytes)
    return plugin_->instance_->broken_rule("plan", fmt::format("a proof of {} bytes", theirs.proof_bytes));
  if (theirs.resource_count > most_resources)
    return plugin_->instance_->broken_rule(
        "plan", fmt::format("it claims {} resources; at most {} are possible", theirs.resource_count, most_resources));
  if (theirs.resource_count > 0 && theirs.resources == nullptr)
    return plugin_->instance_->broken_rule(
        "plan", fmt::format("it claims {} resources and gives no list of them", theirs.resource_count));
  auto needs = read_needs(*plugin_->instance_, theirs.needs, theirs.need_count);
  if (!needs) return needs.status();
  ProofPlan plan;
  plan.partitions = theirs.partitions;
  plan.needs = std::move(*needs);
  for (std::uint32_t i = 0; i < theirs.resource_count; ++i) {
    const pinion_resource* resource = theirs.resources[i];
    if (!is_named(resource))
      return plugin_->instance_->broken_rule("plan", fmt::format("resource {} has no id or format", i));
    plan.resources.push_back(resource);
  }
  plan.reserve = Bytes(theirs.reserve);
  plan.part_bytes = theirs.part_bytes;
  plan.proof_bytes = theirs.proof_bytes;
  return plan;
}

Result<pinion_job> ProofSession::synthesize(const std::string& format, std::uint32_t partition,
                                            std::span<const pinion_buffer> buffers,
                                            std::span<const pinion_loaded> residents, const pinion_call* call) {
  pinion_job job{};
  job.size = sizeof job;
  const Status status = plugin_->instance_->call("synthesize", [&](pinion_error* err) {
    return plugin_->table_.synthesize(plugin_->instance_->self(), session_, format.c_str(), partition, buffers.data(),
                                      static_cast<std::uint32_t>(buffers.size()), residents.data(),
                                      static_cast<std::uint32_t>(residents.size()), call, &job, err);
  });
  if (!status.ok()) return status;
  if (job.format == nullptr || job.format != format)
    return plugin_->instance_->broken_rule(
        "synthesize", fmt::format("it was asked for {} and gave {}", format, in_quotes(text_or_empty(job.format))));
  if (job.payload == nullptr) return plugin_->instance_->broken_rule("synthesize", "it gave a job without a payload");
  return job;
}

void ProofSession::retire(std::uint32_t partition) noexcept {
  (void)plugin_->instance_->call("retire",
                                 [&] { plugin_->table_.retire(plugin_->instance_->self(), session_, partition); });
}

Status ProofSession::verify_part(std::uint32_t partition, std::span<const std::uint8_t> part, const pinion_call* call) {
  return plugin_->instance_->call("verify_part", [&](pinion_error* err) {
    return plugin_->table_.verify_part(plugin_->instance_->self(), session_, partition, {part.data(), part.size()},
                                       call, err);
  });
}

Result<std::vector<std::uint8_t>> ProofSession::assemble(std::span<const std::vector<std::uint8_t>> parts,
                                                         std::uint64_t proof_bytes) {
  std::vector<pinion_bytes> views;
  for (const auto& part : parts) views.push_back({part.data(), part.size()});
  std::vector<std::uint8_t> proof(proof_bytes);
  std::uint64_t written = 0;
  const Status status = plugin_->instance_->call("assemble", [&](pinion_error* err) {
    return plugin_->table_.assemble(plugin_->instance_->self(), session_, views.data(),
                                    static_cast<std::uint32_t>(views.size()), proof.data(), proof.size(), &written,
                                    err);
  });
  if (!status.ok()) return status;
  if (written != proof.size())
    return plugin_->instance_->broken_rule(
        "assemble", fmt::format("it wrote a proof of {} bytes where its plan said {}", written, proof.size()));
  return proof;
}

Status ProofSession::verify(std::span<const std::uint8_t> proof, const pinion_call* call) {
  return plugin_->instance_->call("verify", [&](pinion_error* err) {
    return plugin_->table_.verify(plugin_->instance_->self(), session_, {proof.data(), proof.size()}, call, err);
  });
}

}  // namespace pinion::host
