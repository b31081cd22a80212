#include <pinion/host/pipeline/stage.hpp>

namespace pinion::host {
namespace {

// What the backend sees of the loaded resources: its own handles; of the others, bytes where there are any.
Result<std::vector<pinion_loaded>> resources_for_backend(const Leased& leased) {
  std::vector<pinion_loaded> out;
  for (const LoadedResource& resource : leased.resources) {
    pinion_loaded view{resource.resource, nullptr, {nullptr, 0}};
    if (resource.by_proof) {
      auto loaded = loaded_view(resource.resource, *resource.by_proof, *leased.opened->proof().residents);
      if (!loaded) return loaded.status();
      view.view = loaded->view;
    }
    if (resource.by_backend) {
      auto loaded = loaded_view(resource.resource, *resource.by_backend, *leased.use.device().loaded->residents);
      if (!loaded) return loaded.status();
      view.handle = loaded->handle;
      if (loaded->view.data != nullptr) view.view = loaded->view;
    }
    out.push_back(view);
  }
  return out;
}

void free_after_start(std::vector<LentBuffer>& buffers) {
  for (LentBuffer& buffer : buffers)
    if (buffer.free_after == PINION_FREE_AFTER_START) buffer.lease.reset();
}

}  // namespace

Result<Started> start(const StageContext& context, Synthesized synthesized) {
  Leased& leased = synthesized.leased;
  const Device& device = leased.use.device();
  auto residents = resources_for_backend(leased);
  if (!residents) return residents.status();
  std::vector<pinion_buffer> buffers;
  for (const LentBuffer& buffer : leased.backend_buffers) buffers.push_back(buffer.view());

  std::optional<Slot> slot;
  {
    const StageTimer timer(context, "wait for device", &leased.times.wait);
    slot = context.host.devices.starts(device.number).take(context.rank, context.stop);
    if (!slot) return Status(Code::cancelled, "cancelled while waiting for " + device.label());
  }
  BackendOperation operation;
  {
    const StageTimer timer(context, "start", &leased.times.start, device.label());
    const auto call = context.call(device, timer.span());
    auto started = device.loaded->backend->start(device.local, synthesized.job, *residents, buffers, call->table(),
                                                 leased.part_bytes);
    if (!started) return started.status();
    operation = std::move(*started);
  }
  free_after_start(leased.proof_buffers);
  free_after_start(leased.backend_buffers);
  return Started{std::move(synthesized), std::move(operation)};
}

}  // namespace pinion::host
