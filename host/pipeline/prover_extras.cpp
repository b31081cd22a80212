#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/base/units.hpp>
#include <pinion/host/config/machine_process.hpp>
#include <pinion/host/pipeline/prover_parts.hpp>
#include <pinion/host/report/trace.hpp>
#include <pinion/printable.hpp>

// What the prover offers besides proving: parameter files, sample inputs, health, status.
namespace pinion::host {

Status Prover::generate_keys(const Kind& kind, const std::filesystem::path& dir, const std::string& toxic_label,
                             const FactFn& fact, std::stop_token stop, const ProgressFn& progress) {
  const LoadedProof* loaded = parts_->owner_of(kind);
  if (!loaded) return Status(Code::invalid_input, "this kind belongs to another prover");
  auto keys = KeysPlugin::open(loaded->proof->shared_instance());
  if (!keys) return keys.status();
  return parts_->with_call("generate", loaded->proof->id(), std::move(stop), progress,
                           [&](const pinion_call* call) { return keys->generate(kind, dir, toxic_label, call, fact); });
}

Status Prover::check_keys(const Kind& kind, const std::filesystem::path& dir, const FactFn& fact, std::stop_token stop,
                          const ProgressFn& progress) {
  const LoadedProof* loaded = parts_->owner_of(kind);
  if (!loaded) return Status(Code::invalid_input, "this kind belongs to another prover");
  auto keys = KeysPlugin::open(loaded->proof->shared_instance());
  if (!keys) return keys.status();
  return parts_->with_call("check", loaded->proof->id(), std::move(stop), progress,
                           [&](const pinion_call* call) { return keys->check(kind, dir, call, fact); });
}

Status Prover::describe_keys(const std::filesystem::path& file, const FactFn& fact) {
  // First whoever has a file of this name: what another finds wrong with it would say nothing.
  std::vector<const LoadedProof*> asked;
  for (const LoadedProof& loaded : parts_->registry.proofs()) asked.push_back(&loaded);
  std::stable_partition(asked.begin(), asked.end(), [&](const LoadedProof* loaded) {
    return std::any_of(loaded->proof->kinds().begin(), loaded->proof->kinds().end(), [&](const Kind& kind) {
      return std::any_of(kind.files.begin(), kind.files.end(),
                         [&](const KindFile& known) { return known.name == file.filename(); });
    });
  });
  std::string reasons;
  for (const LoadedProof* loaded : asked) {
    auto keys = KeysPlugin::open(loaded->proof->shared_instance());
    if (!keys) continue;
    auto status = keys->describe(file, fact);
    if (status.code() != Code::unsupported) return status;
    reasons += "\n  " + status.message();
  }
  if (reasons.empty()) return {Code::unsupported, "no proof plugin here reads parameter files"};
  return {Code::invalid_input, fmt::format("{}: no plugin recognises this file{}", shown(file), reasons)};
}

std::vector<Prover::Sample> Prover::samples() const {
  std::vector<Sample> out;
  for (const LoadedProof& loaded : parts_->registry.proofs()) {
    const auto samples = SamplesPlugin::open(loaded.proof);
    if (!samples) continue;
    for (const SampleInput& input : samples->list()) {
      Sample sample{input.title, input.kind, {}};
      sample.request.family = input.kind->family;
      for (const pinion_part& part : input.parts)
        sample.request.parts.push_back({part.name, {part.bytes.data, part.bytes.data + part.bytes.size}});
      for (const pinion_field& field : input.fields)
        sample.request.fields.push_back(
            {field.key, field.number, {field.bytes.data, field.bytes.data + field.bytes.size}});
      out.push_back(std::move(sample));
    }
  }
  return out;
}

Result<std::vector<DeclaredOption>> Prover::fake_options(const Kind& kind) const {
  const LoadedProof* loaded = parts_->owner_of(kind);
  if (!loaded) return Status(Code::invalid_input, "this kind belongs to another prover");
  auto samples = SamplesPlugin::open(loaded->proof);
  if (!samples) return samples.status();
  return samples->fake_options(kind);
}

Status Prover::fake(const Kind& kind, std::uint64_t seed, const PluginTable& options, const std::filesystem::path& dir,
                    const FactFn& fact, std::stop_token stop, const ProgressFn& progress) {
  const LoadedProof* loaded = parts_->owner_of(kind);
  if (!loaded) return Status(Code::invalid_input, "this kind belongs to another prover");
  auto samples = SamplesPlugin::open(loaded->proof);
  if (!samples) return samples.status();
  return parts_->with_call("fake", loaded->proof->id(), std::move(stop), progress, [&](const pinion_call* call) {
    return samples->fake(kind, seed, options, dir, call, fact);
  });
}

std::vector<Prover::Health> Prover::health() const {
  std::vector<Health> out;
  for (const auto& instance : parts_->registry.instances()) {
    auto findings = examine_health(*instance);
    if (findings)
      out.push_back({instance->id(), std::move(*findings)});
    else
      out.push_back({instance->id(), {{PINION_HEALTH_FAIL, "health table", findings.status().message(), ""}}});
  }
  return out;
}

Bytes Prover::evict(SpaceId space, Bytes wanted) {
  return parts_->memory.evict(space, wanted);
}

Result<Bytes> Prover::evict(SpaceId space, const std::string& resident_id) {
  return parts_->memory.evict(space, resident_id);
}

Bytes Prover::memory_used() const noexcept {
  return parts_->memory.used(SpaceId::host());
}

std::string Prover::trace() const {
  parts_->pipeline->settle();
  return trace_text(parts_->spans.records(), parts_->spans.dropped());
}

std::vector<MetricSample> Prover::metrics() const {
  return parts_->metrics.samples();
}

// What became of the host since it was opened.
void Prover::add_notes(Snapshot& snapshot) const {
  {
    const std::lock_guard lock(parts_->not_prepared_mutex);
    snapshot.notes.insert(snapshot.notes.end(), parts_->not_prepared.begin(), parts_->not_prepared.end());
  }
  const auto stuck = stuck_by_reason(snapshot.spaces.front());
  for (const auto& [reason, bytes] : stuck)
    snapshot.notes.push_back(fmt::format("{} of host memory are not given back until pinion is started anew: {}",
                                         human_text(bytes), reason));
  if (!stuck.empty()) snapshot.degraded = true;
  for (const auto& [kinds, bytes] : not_as_stated(snapshot.spaces.front()))
    snapshot.notes.push_back(fmt::format("{} of host memory are not as stated: {}", human_text(bytes), kinds));
}

Snapshot Prover::snapshot() const {
  Snapshot snapshot;
  snapshot.version = PINION_VERSION;
  snapshot.spaces = parts_->memory.snapshot();
  SpaceStatus& host = snapshot.spaces.front();
  host.budget_source = parts_->budget_source;
  snapshot.ready = parts_->ready;
  if (const auto process = read_process_memory())
    snapshot.process = {process->anonymous, process->shared, process->file, process->peak, process->locked};
  snapshot.jobs = parts_->progress.snapshot();
  snapshot.notes = parts_->warnings;
  snapshot.degraded = !parts_->registry.shortfalls().empty();
  add_notes(snapshot);
  snapshot.devices = parts_->devices.status();
  for (const DeviceStatus& device : snapshot.devices)
    if (!device.usable) snapshot.degraded = true;
  const auto& running = parts_->registry.instances();
  for (const ListedPlugin& listed : parts_->catalog.listed()) {
    const auto is = [&](const auto& instance) { return instance->library().manifest().path == listed.manifest.path; };
    PluginStatus status{listed.manifest.id, listed.manifest.version, listed.manifest.library.string(), "listed", "", 0};
    if (const auto at = std::find_if(running.begin(), running.end(), is); at != running.end()) {
      status.state = "running";
      status.strikes = (*at)->strikes();
    }
    if (listed.shadowed_by) status.reason = "hidden by " + listed.shadowed_by->string();
    snapshot.plugins.push_back(std::move(status));
  }
  for (const UnreadableManifest& manifest : parts_->catalog.unreadable())
    snapshot.plugins.push_back({"", "", manifest.path.string(), "refused", manifest.status.message(), 0});
  return snapshot;
}

}  // namespace pinion::host
