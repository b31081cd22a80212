#include <pinion/host/pipeline/stage.hpp>

namespace pinion::host {
namespace {

// What synthesis sees of the loaded resources: the proof plugin's own handles; of the others, bytes where there are
// any.
Result<std::vector<pinion_loaded>> resources_for_proof(const Leased& leased) {
  std::vector<pinion_loaded> out;
  for (const LoadedResource& resource : leased.resources) {
    pinion_loaded view{resource.resource, nullptr, {nullptr, 0}};
    if (resource.by_proof) {
      auto loaded = loaded_view(resource.resource, *resource.by_proof, *leased.opened->proof().residents);
      if (!loaded) return loaded.status();
      view = *loaded;
    } else if (resource.by_backend) {
      auto loaded = loaded_view(resource.resource, *resource.by_backend, *leased.use.device().loaded->residents);
      if (!loaded) return loaded.status();
      view.view = loaded->view;
    }
    out.push_back(view);
  }
  return out;
}

}  // namespace

Result<Synthesized> synthesize(const StageContext& context, Leased leased) {
  auto residents = resources_for_proof(leased);
  if (!residents) return residents.status();
  std::vector<pinion_buffer> buffers;
  for (const LentBuffer& buffer : leased.proof_buffers) buffers.push_back(buffer.view());

  const std::string format = leased.format;
  const std::uint32_t partition = leased.partition;
  ProofSession& session = leased.opened->session();
  Synthesis place(leased.opened, partition);  // the session is told to forget it whatever happens below
  Synthesized out{std::move(leased), std::move(place)};
  {
    const StageTimer timer(context, "synthesize", &out.leased.times.synthesize);
    const auto call = context.call(session.plugin().id(), timer.span());
    auto job = session.synthesize(format, partition, buffers, *residents, call->table());
    if (!job) return job.status();
    out.job = *job;
  }
  for (LentBuffer& buffer : out.leased.proof_buffers)
    if (buffer.free_after == PINION_FREE_AFTER_SYNTHESIS) buffer.lease.reset();
  return out;
}

}  // namespace pinion::host
