#include <fmt/format.h>

#include <pinion/host/pipeline/resources.hpp>
#include <pinion/host/pipeline/stage.hpp>

namespace pinion::host {
namespace {

// Builds the one claim of a partition, and takes the grant apart again in the same order.
class PartitionClaim {
 public:
  PartitionClaim(const StageContext& context, Opened& opened, const Device& device)
      : context_(context), opened_(opened), device_(device) {
    claim_.owner = context.owner;
    claim_.priority = context.rank.priority;
    claim_.label = context.label;
  }

  // Asks both plugins what a partition takes in this job format. Returns the bytes of a part.
  Result<std::uint64_t> plan(const std::string& format) {
    const auto plan = opened_.plan(format);
    if (!plan) return plan.status();
    BackendPlugin& plugin = *device_.loaded->backend;
    const auto backend = plugin.plan(device_.local, format, (*plan)->resources);
    if (!backend) return backend.status();
    if (backend->part_bytes != (*plan)->part_bytes)
      return Status(Code::unsupported,
                    fmt::format("the two do not fit together: {} plans parts of {} bytes on its device {}, and what {} "
                                "plans for {} has parts of {}",
                                plugin.id(), backend->part_bytes, device_.local, opened_.proof().proof->id(),
                                opened_.kind().id, (*plan)->part_bytes));
    if (Status status = add(**plan, *backend); !status.ok()) return status;
    return backend->part_bytes;
  }

  Result<Bytes> host_cost() const { return context_.host.memory.cost(claim_, SpaceId::host()); }

  Status run(Leased& leased, const Span& span) {
    auto granted = context_.claim(claim_, span.id());
    if (!granted) return granted.status();
    for (const Lease& lease : granted->slabs) look(lease);
    for (std::size_t i = 0; i < granted->slabs.size(); ++i)
      (i < proof_buffers_ ? leased.proof_buffers : leased.backend_buffers)
          .push_back({std::move(granted->slabs[i]), free_after_[i]});
    leased.bytes = std::move(granted->bytes);
    auto next = granted->residents.begin();
    for (const Wanted& wanted : wanted_) {
      LoadedResource loaded;
      loaded.resource = wanted.resource;
      if (wanted.loaders.by_proof) loaded.by_proof = std::move(*next++);
      if (wanted.loaders.by_backend) loaded.by_backend = std::move(*next++);
      leased.resources.push_back(std::move(loaded));
    }
    return {};
  }

 private:
  // The kind of memory that an allocator states decides; what the device knows of it is for who looks on.
  void look(const Lease& lease) const {
    if (lease.data() == nullptr) return;
    lease.seen_by(device_.label(), device_.loaded->backend->memory_seen(device_.local, lease.data(), lease.bytes()));
  }

  Status add(const ProofPlan& plan, const BackendPlan& backend) {
    for (const BufferNeed& need : plan.needs)
      if (Status status = add_buffer(need, need.free_after != PINION_FREE_AFTER_SYNTHESIS); !status.ok()) return status;
    for (const BufferNeed& need : backend.needs)
      if (Status status = add_buffer(need, true); !status.ok()) return status;
    proof_buffers_ = plan.needs.size();
    add_bytes(SpaceId::host(), plan.reserve, "synthesis");
    add_bytes(SpaceId::host(), backend.host_reserve, "backend");
    add_bytes(device_.space(), backend.device_bytes, "arena");
    for (const pinion_resource* resource : plan.resources)
      if (Status status = add_resource(resource); !status.ok()) return status;
    return {};
  }

  struct Wanted {
    const pinion_resource* resource;
    ResourceLoaders loaders;
  };

  Status add_buffer(const BufferNeed& need, bool device_reads) {
    SlabKinds kinds = need.kinds;
    const BackendPlugin& backend = *device_.loaded->backend;
    if (device_reads) kinds.bits &= backend.accepted_kinds().bits;
    if (kinds.bits == 0)
      return Status(Code::unsupported,
                    fmt::format("buffer \"{}\" may be {}, but {} accepts {}", need.purpose, kinds_text(need.kinds),
                                backend.id(), kinds_text(backend.accepted_kinds())));
    claim_.slabs.push_back({need.bytes, kinds, device_.facts->placement(), need.purpose});
    free_after_.push_back(need.free_after);
    return {};
  }

  void add_bytes(SpaceId space, Bytes bytes, const char* purpose) {
    if (!bytes.zero()) claim_.bytes.push_back({space, bytes, purpose});
  }

  Status add_resource(const pinion_resource* theirs) {
    const auto loaders = add_residents(claim_, Resource(*theirs), opened_.proof(), device_, context_.host.calls);
    if (!loaders) return loaders.status();
    wanted_.push_back({theirs, *loaders});
    return {};
  }

  const StageContext& context_;
  Opened& opened_;
  const Device& device_;
  Claim claim_;
  std::size_t proof_buffers_ = 0;
  std::vector<std::uint32_t> free_after_;
  std::vector<Wanted> wanted_;
};

}  // namespace

pinion_buffer LentBuffer::view() const {
  return {lease.data(), lease.bytes().count(), static_cast<std::uint32_t>(lease.kind()), 0, lease.id().number()};
}

Result<Reach> reach_of(const StageContext& context, Opened& opened) {
  const Route& route = context.host.routes.route(opened.kind().id);
  Reach reach;
  Status failure;
  for (const std::uint32_t number : route.devices) {
    const Device& device = context.host.devices.all()[number];
    PartitionClaim wanted(context, opened, device);
    const auto planned = wanted.plan(route.formats.at(number));
    const Result<Bytes> cost = planned ? wanted.host_cost() : Result<Bytes>(planned.status());
    if (cost) {
      reach.devices.push_back(number);
      reach.largest_claim = std::max(reach.largest_claim, *cost);
      continue;
    }
    if (failure.ok()) failure = cost.status();
    reach.refused += fmt::format("; {} cannot: {}", device.label(), cost.status().message());
  }
  if (reach.devices.empty() && !failure.ok()) return failure;
  if (!failure.ok()) context.host.log.info("{}: not on every device{}", context.owner.text(), reach.refused);
  return reach;
}

Result<Leased> claim(const StageContext& context, std::shared_ptr<Opened> opened, DeviceUse use,
                     const std::string& format) {
  Leased leased;
  leased.partition = context.owner.partition.value_or(0);
  leased.format = format;
  PartitionClaim wanted(context, *opened, use.device());
  const auto part_bytes = wanted.plan(format);
  if (!part_bytes) return part_bytes.status();
  leased.part_bytes = *part_bytes;
  {
    const StageTimer timer(context, "claim", &leased.times.claim);
    if (Status status = wanted.run(leased, timer.span()); !status.ok()) return status;
  }
  leased.opened = std::move(opened);
  leased.use = std::move(use);
  return leased;
}

}  // namespace pinion::host
