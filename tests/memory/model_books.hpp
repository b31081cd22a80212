// What a snapshot says, summed up for the model.
#pragma once

#include "fakes.hpp"

namespace pinion::host::test {

// Of the reserve for critical claims, what none of them has.
inline Bytes unspent_reserve(const Memory& memory) {
  const SpaceStatus host = memory.snapshot().front();
  for (const HoldingStatus& holding : host.holdings)
    if (holding.purpose == "kept for critical work") return holding.reserved;
  return {};
}

// Each once: those of a device that also cost host bytes are shown in both spaces.
inline std::vector<ResidentStatus> residents_of(const Memory& memory) {
  std::vector<ResidentStatus> out;
  for (const SpaceStatus& space : memory.snapshot())
    for (const ResidentStatus& resident : space.residents)
      if (std::none_of(out.begin(), out.end(), [&](const ResidentStatus& one) { return one.id == resident.id; }))
        out.push_back(resident);
  return out;
}

inline bool somebody_waits(const Memory& memory) {
  const std::vector<SpaceStatus> spaces = memory.snapshot();
  return std::any_of(spaces.begin(), spaces.end(), [](const SpaceStatus& space) { return !space.waiting.empty(); });
}

// What was asked for by those who hold it now.
inline Bytes requested(const SpaceStatus& space) {
  Bytes sum;
  for (const HoldingStatus& holding : space.holdings) sum += holding.requested;
  return sum;
}

// Of all slabs, that of the resident `buffered` too.
inline Bytes slab_bytes(const SpaceStatus& host, const std::string& buffered) {
  Bytes sum;
  for (const HoldingStatus& holding : host.holdings)
    if (!holding.kind.empty()) sum += holding.reserved;
  for (const ResidentStatus& resident : host.residents)
    if (resident.id == buffered) sum += resident.bytes;
  return sum;
}

}  // namespace pinion::host::test
