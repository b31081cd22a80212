// Loading ahead: what every request of a kind needs, on every device that would prove it first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pinion/host/config/option.hpp>
#include <pinion/host/pipeline/prover_parts.hpp>
#include <pinion/host/pipeline/resources.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

// On one device; the residents stay when the claim ends. Without `drops` only into what is free: of several kinds that
// do not fit together the first ones stay.
Status preload_on(const StageContext& context, const Device& device, const LoadedProof& proof,
                  const std::vector<Resource>& resources, bool drops) {
  Claim claim;
  claim.owner = context.owner;
  claim.priority = context.rank.priority;
  claim.label = context.label;
  claim.drops = drops;
  for (const Resource& resource : resources)
    if (const auto added = add_residents(claim, resource, proof, device, context.host.calls); !added)
      return added.status();
  Memory& memory = context.host.memory;
  if (!drops) {
    claim.trace = {&context.host.spans, context.parent};
    return memory.try_claim(claim, context.stop).status();
  }
  // Who waits holds up the claims behind it, which must be able to end.
  const auto cost = memory.cost(claim, SpaceId::host());
  if (!cost) return cost.status();
  const auto admitted = context.host.admission.enter_waiting(context.rank, Bytes(), *cost, context.stop);
  if (!admitted) return Status(Code::cancelled, "cancelled before it was let in");
  return context.claim(claim, context.parent).status();
}

}  // namespace

Result<Prover::Parts::OwnedKind> Prover::Parts::kind_named(const std::string& id) const {
  std::vector<std::string> ids;
  for (const LoadedProof& loaded : registry.proofs()) {
    for (const Kind& kind : loaded.proof->kinds()) {
      if (kind.id == id) return OwnedKind{&loaded, &kind};
      ids.push_back(kind.id);
    }
  }
  const auto near = nearest(id, ids);
  return Status(Code::invalid_input,
                fmt::format("there is no kind {}{}; there are: {}", in_quotes(id),
                            near ? fmt::format("; did you mean \"{}\"?", *near) : std::string(), fmt::join(ids, ", ")));
}

Status Prover::Parts::preload(const std::string& id, const std::string& params_dir, const std::stop_token& stop,
                              ProgressFn fn, bool drops) {
  const auto owned = kind_named(id);
  if (!owned) return owned.status();
  // Those of later backends are used only when the first has none left.
  const std::vector<std::uint32_t> wanted = devices.first_choices(routes.route(id).devices);
  if (wanted.empty())
    return Status(Code::unsupported, fmt::format("no device here proves {}: {}", id, devices.why_unusable()));
  const Owner owner{next_id("preload"), std::nullopt, ""};
  // Nothing waits for it, but what critical jobs will need is spared from the start, and loaded before other loads.
  const std::uint32_t priority =
      owned->kind->priority >= PINION_PRIORITY_CRITICAL ? owned->kind->priority : PINION_PRIORITY_LOW;
  progress.add(owner.job, std::move(fn));
  progress.opened(owner.job, id, priority, {});
  progress.stage(owner, "load");
  const Status status = [&]() -> Status {
    const Span span = spans.open("preload", owner);
    const StageContext context{stages, owner, {priority, pipeline->next_number(), 0}, stop, span.id(), id};
    const std::uint32_t flags = (*config.params.allow_test_keys ? PINION_REQUEST_TEST_KEYS : 0) |
                                (*config.params.verify_digests ? 0 : PINION_REQUEST_TRUST_FILES);
    const auto resources =
        owned->loaded->proof->resources_of(*owned->kind, params_dir.empty() ? *config.params.dir : params_dir, flags);
    if (!resources) return resources.status();
    for (const std::uint32_t number : wanted)
      if (Status loaded = preload_on(context, devices.all()[number], *owned->loaded, *resources, drops); !loaded.ok())
        return loaded;
    return {};
  }();
  progress.finished(owner.job, status);
  return status.within("preloading " + id);
}

void Prover::Parts::prepare(const std::stop_token& stop) {
  for (const std::string& id : *config.params.preload) {
    const Status status = preload(id, "", stop, {}, false);
    if (stop.stop_requested()) return;
    if (status.ok()) continue;
    log.warn("{}", status.message());
    const std::lock_guard lock(not_prepared_mutex);
    not_prepared.push_back(status.message());
  }
  if ((*config.memory.warm).zero() || registry.allocators().empty()) return;
  WarmOrder order{*config.memory.warm, *config.memory.warm_slab};
  for (const Device& device : devices.all())
    if (device.facts->ineligible.empty()) order.placements.push_back(device.facts->placement());
  memory.warm(order, stop);
}

Status Prover::preload(const std::string& kind, const std::string& params_dir, const std::stop_token& stop,
                       const ProgressFn& progress) {
  return parts_->preload(kind, params_dir, stop, progress, true);
}

}  // namespace pinion::host
