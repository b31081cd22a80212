#include <pinion/host/pipeline/stage.hpp>

namespace pinion::host {

Result<std::vector<std::uint8_t>> assemble(const StageContext& context, Opened& opened,
                                           std::span<const std::vector<std::uint8_t>> parts) {
  // Every format of a kind makes the same proof, so the first plan there is gives its size.
  const auto plan = opened.plan(opened.kind().formats.front());
  if (!plan) return plan.status();
  if ((*plan)->proof_bytes == 0)
    return Status(Code::unsupported,
                  "the parts of " + opened.kind().id + " do not make a whole proof; ask for the parts");
  auto proof = [&] {
    const StageTimer timer(context, "assemble");
    return opened.session().assemble(parts, (*plan)->proof_bytes);
  }();
  if (!proof) return proof.status();
  const StageTimer timer(context, "verify");
  const auto call = context.call(opened.session().plugin().id(), timer.span());
  if (Status status = opened.session().verify(*proof, call->table()); !status.ok()) return status;
  return proof;
}

}  // namespace pinion::host
