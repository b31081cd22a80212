#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/base/units.hpp>
#include <pinion/host/memory/borrowings.hpp>

namespace pinion::host {

Result<BorrowedBuffer> Borrowings::acquire(const SlabNeed& need) {
  Result<Granted> granted = memory_.try_claim({owner_, priority_, {need}, {}, {}, label_});
  if (!granted) return granted.status();
  Lease lease = std::move(granted->slabs.front());
  const BorrowedBuffer buffer{lease.data(), lease.bytes(), lease.kind(), lease.id()};
  const std::lock_guard lock(mutex_);
  leases_.emplace(lease.id(), std::move(lease));
  return buffer;
}

Status Borrowings::give_back(LeaseId id) {
  std::map<LeaseId, Lease>::node_type ended;  // ends without the lock
  const std::lock_guard lock(mutex_);
  ended = leases_.extract(id);
  if (ended.empty()) {
    return Status(Code::internal, fmt::format("{} gave back buffer {}, which it does not hold (given back twice?)",
                                              owner_.text(), id.number()));
  }
  return {};
}

Status Borrowings::reserve(SpaceId space, Bytes bytes) {
  Result<Granted> granted =
      memory_.try_claim({owner_, priority_, {}, {{space, bytes, "plugin reservation"}}, {}, label_});
  if (!granted) return granted.status();
  if (bytes.zero()) return {};
  const std::lock_guard lock(mutex_);
  reservations_[space].push_back(std::move(granted->bytes.front()));
  return {};
}

Status Borrowings::unreserve(SpaceId space, Bytes bytes) {
  const std::lock_guard lock(mutex_);
  std::vector<Reservation>& held = reservations_[space];
  Bytes sum;
  for (const Reservation& reservation : held) sum += reservation.bytes();
  if (bytes > sum) {
    return Status(Code::internal, fmt::format("{} gave back {} reserved bytes of space {} and holds {}", owner_.text(),
                                              bytes.count(), space.text(), sum.count()));
  }
  while (!bytes.zero()) {
    const Bytes part = std::min(bytes, held.back().bytes());
    if (Status status = held.back().release(part); !status.ok()) return status;
    bytes -= part;
    if (held.back().bytes().zero()) held.pop_back();
  }
  return {};
}

std::vector<std::string> Borrowings::close() {
  std::map<LeaseId, Lease> leases;
  std::map<SpaceId, std::vector<Reservation>> reservations;
  {
    const std::lock_guard lock(mutex_);
    leases.swap(leases_);
    reservations.swap(reservations_);
  }
  std::vector<std::string> leaks;
  for (const auto& [id, lease] : leases) {
    leaks.push_back(
        fmt::format("{} did not give back buffer {} of {}", owner_.text(), id.number(), human_text(lease.bytes())));
  }
  for (const auto& [space, held] : reservations) {
    Bytes sum;
    for (const Reservation& reservation : held) sum += reservation.bytes();
    if (sum.zero()) continue;
    leaks.push_back(
        fmt::format("{} did not give back {} reserved in space {}", owner_.text(), human_text(sum), space.text()));
  }
  return leaks;
}

}  // namespace pinion::host
