#include <pinion/host/pipeline/stage.hpp>

namespace pinion::host {

Result<Part> finish(const StageContext& context, Started started) {
  Leased& leased = started.synthesized.leased;
  const Device& device = leased.use.device();
  Part part;
  part.device = device.number;
  part.result.partition = leased.partition;
  part.result.backend = device.loaded->backend->id();
  part.result.device = device.label();
  part.result.format = leased.format;
  {
    const StageTimer timer(context, "finish", &leased.times.finish, device.label());
    const auto call = context.call(device, timer.span());
    auto bytes = started.operation.finish(call->table());
    if (!bytes) return bytes.status();
    part.result.bytes = std::move(*bytes);
  }
  part.result.times = leased.times;
  const std::shared_ptr<Opened> opened = leased.opened;
  // Phase two of the release: checking the part needs nothing of what made it.
  { const Started done = std::move(started); }

  {
    const StageTimer timer(context, "verify", &part.result.times.verify);
    const auto call = context.call(opened->session().plugin().id(), timer.span());
    if (Status status = opened->session().verify_part(part.result.partition, part.result.bytes, call->table());
        !status.ok())
      return status;
  }
  return part;
}

}  // namespace pinion::host
