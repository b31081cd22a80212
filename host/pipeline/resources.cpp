#include <fmt/format.h>

#include <pinion/host/pipeline/resources.hpp>

namespace pinion::host {

Result<ResourceLoaders> add_residents(Claim& claim, const Resource& resource, const LoadedProof& proof,
                                      const Device& device, CallMaker& calls) {
  const auto& by_proof = proof.residents;
  const auto& by_backend = device.loaded->residents;
  ResourceLoaders loaders;
  loaders.by_backend = by_backend && by_backend->loads(resource.format());
  loaders.by_proof = !loaders.by_backend || resource.file().empty();
  std::string source;
  if (loaders.by_proof) {
    if (!by_proof || !by_proof->loads(resource.format()))
      return Status(Code::unsupported,
                    fmt::format("nobody loads \"{}\" ({}): neither {} nor {} lists that format", resource.id(),
                                resource.format(), device.loaded->backend->id(), proof.proof->id()));
    auto spec = by_proof->spec(resource, {-1, SpaceId::host(), 0, 0}, "", calls);
    if (!spec) return spec.status();
    source = spec->id;
    claim.residents.push_back(std::move(*spec));
  }
  if (loaders.by_backend) {
    const auto devices = static_cast<std::uint32_t>(device.loaded->backend->devices().size());
    auto spec = by_backend->spec(
        resource, {static_cast<std::int32_t>(device.local), device.space(), device.first, devices}, source, calls);
    if (!spec) return spec.status();
    claim.residents.push_back(std::move(*spec));
  }
  return loaders;
}

}  // namespace pinion::host
