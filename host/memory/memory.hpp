// The host's memory: for each space one budget, in the host one pool of slabs, residents in any space, one queue of
// claims over all of them, one evictor. A byte is charged from before it exists until it is back with the OS. Knows
// nothing of plugins or proofs: it sees SlabSource and ResidentLoader.
//
// Order. Waiting claims are served by priority, then age; a claim waits for every earlier one it shares a space with,
// so a small one never starves a large one, and a claim overtaken `max_overtakes` times goes first. It passes one that
// waits for a space where it wants nothing itself: what a slow device holds does not keep others from theirs. Who has
// been granted its claim never waits for memory again; that is what excludes deadlock.
//
// Slow work (allocate, release, load, unload) is done by the claiming thread without any lock held.
#pragma once

#include <cstdint>
#include <memory>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/memory/claim.hpp>
#include <pinion/host/report/log.hpp>
#include <pinion/host/report/snapshot.hpp>

namespace pinion::host {

struct SpaceSetup {
  SpaceId id;
  Bytes budget;
  // Of the host only: the configured allocator, then those it may fall back to, in order. Each use of a later one is
  // logged once, counted and shown.
  std::vector<std::shared_ptr<SlabSource>> sources;
  Bytes reserve{};       // of the budget, kept for critical claims
  std::string source{};  // what decided the budget, for who is refused; may be empty
};

struct MemoryOptions {
  double max_waste = 0.25;  // share of a reused slab that may lie idle under a smaller need
  Duration evict_min_idle = std::chrono::minutes(5);
  unsigned max_overtakes = 32;
  std::optional<Bytes> pinned_max{};  // of page-locked slabs, idle ones included; none: the host's budget
  // Claims of at least this priority are critical: they may spend the reserve, and no other claim, however often
  // overtaken, goes before them.
  std::uint32_t critical_priority = UINT32_MAX;
};

// Idle slabs to be made before anybody needs them.
struct WarmOrder {
  Bytes bytes;                          // in all
  Bytes slab;                           // of each
  std::vector<Placement> placements{};  // in turn; none: anywhere
};

class Memory {
 public:
  // One SpaceSetup per space, the host's among them. `clock` and `log` outlive every value granted here.
  Memory(const MemoryOptions& options, std::vector<SpaceSetup> spaces, const Clock& clock, Log& log);
  // Closes it; see there.
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Waits until all of it can be had, then makes and loads what is missing. Fails, with nothing kept:
  //   over_budget    it can never be granted: larger than a budget (both numbers are named), or than any slab
  //   unsupported    nor this: no such space, no allocator of an acceptable kind
  //   cancelled      `stop` was requested, or the memory is closed
  //   out_of_memory  an allocator refused, also after eviction and a second try
  //   or what a resident's load returned. [worker]
  Result<Granted> claim(const Claim& claim, const std::stop_token& stop = {});

  // The same without waiting for others: now, after evicting what is idle, nothing spared, if that suffices and the
  // claim drops it; or out_of_memory. Passes waiting claims, since it serves work that is already running and must end.
  // [worker]
  Result<Granted> try_claim(const Claim& claim, const std::stop_token& stop = {});

  // What must be free of others in a space for the claim: when nothing it needs is there yet, and beside what nobody
  // gets back. Fails as claim() does for what can never be granted. [any]
  Result<Bytes> cost(const Claim& claim, SpaceId space) const;

  // Loads a resident that nobody asks for yet; it stays, idle. Waits and fails as claim(). [worker]
  Status preload(const Owner& owner, const ResidentSpec& spec, const std::stop_token& stop = {});

  // Makes slabs of the configured allocator one after another and leaves them idle, as far as the budget is free:
  // nothing is dropped for them, and claims that wait go first. Its progress is in the snapshot. [worker], a thread of
  // its own
  void warm(const WarmOrder& order, const std::stop_token& stop);

  // Drops idle things of a space until at least `wanted` bytes are uncharged or nothing is left, in the evictor's order
  // but without sparing what was used lately. Returns the bytes really uncharged. [worker]
  Bytes evict(SpaceId space, Bytes wanted);
  // Drops one resident. invalid_input: not loaded; unsupported: in use, by how many. [worker]
  Result<Bytes> evict(SpaceId space, const std::string& resident_id);

  // The device of this placement is used no more: idle slabs made for it go back to the OS. Those that its driver keeps
  // are lent again, stay charged and are shown as stuck. Returns the bytes uncharged. [worker]
  Bytes retire(const Placement& placement);

  // Swaps the host's allocators, the preferred one first: every idle slab goes back to the OS, whoever made it, and
  // slabs are made by `sources` from now on. Residents keep theirs. No claim may be under way. Returns the bytes
  // uncharged. [main]
  Bytes use(const std::vector<std::shared_ptr<SlabSource>>& sources);

  // Never more than the budget, at any instant. Zero for a space that does not exist. [any]
  Bytes used(SpaceId space) const noexcept;
  Bytes budget(SpaceId space) const noexcept;
  // What a claim of this priority can be at most: less than the budget by the reserve, unless it is critical. [any]
  Bytes limit(SpaceId space, std::uint32_t priority) const;

  // Claims that wait look again, and say so again where they are stalled: what they wait for is somebody else's affair
  // that has changed. [any]
  void look_again();

  // All spaces at one instant. [any]
  std::vector<SpaceStatus> snapshot() const;

  // What is held now by leases and reservations, of one job or of all (empty). After a job's end: its leaks. [any]
  std::vector<HoldingStatus> holdings(const std::string& job = {}) const;

  // Refuses new claims, cancels waiting ones, unloads idle residents and releases idle slabs, several at a time; logs
  // how much and at which rate. What is still held is
  // returned; it stays valid and goes straight back to its maker when dropped. [main]
  std::vector<HoldingStatus> close();

 private:
  std::shared_ptr<MemoryCore> core_;
};

}  // namespace pinion::host
