// What a plugin borrowed during one call or session: scratch buffers and reserved bytes, by id, as the C ABI hands them
// out. Whatever is still there at the end is taken back and told, so that a leak is a report and not a loss; a buffer
// given back twice is refused. Never waits for memory.
#pragma once

#include <map>
#include <mutex>
#include <pinion/host/memory/memory.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct BorrowedBuffer {
  void* data = nullptr;
  Bytes bytes;
  SlabKind kind = SlabKind::pageable;
  LeaseId id;
};

class Borrowings {
 public:
  // `memory` outlives this; `owner` names the plugin at fault, `priority` and `label` are those of the job's claims.
  Borrowings(Memory& memory, Owner owner, std::uint32_t priority = 0, std::string label = {})
      : memory_(memory), owner_(std::move(owner)), priority_(priority), label_(std::move(label)) {}
  ~Borrowings() { close(); }
  Borrowings(const Borrowings&) = delete;
  Borrowings& operator=(const Borrowings&) = delete;

  // out_of_memory, or over_budget, unsupported when it can never be had: nothing is borrowed then. [any]
  Result<BorrowedBuffer> acquire(const SlabNeed& need);
  // internal: not borrowed here, or given back before. [any]
  Status give_back(LeaseId id);

  // As acquire. [any]
  Status reserve(SpaceId space, Bytes bytes);
  // Gives back what was reserved, in any pieces. internal: more than is reserved; nothing changes. [any]
  Status unreserve(SpaceId space, Bytes bytes);

  // Takes everything back; one sentence for each thing that should have been returned. [any]
  std::vector<std::string> close();

 private:
  Memory& memory_;
  const Owner owner_;
  const std::uint32_t priority_;
  const std::string label_;
  std::mutex mutex_;
  std::map<LeaseId, Lease> leases_;
  std::map<SpaceId, std::vector<Reservation>> reservations_;
};

}  // namespace pinion::host
