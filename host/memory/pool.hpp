// The slabs of the host space and where each is in its life:
//
//   begin -> allocating -> born -> leased <-> idle -> begin_release -> releasing -> forget
//                                              ^------------- keep ---------v
//
// What its allocator cannot give back is kept: idle again and lent like any other, but stuck, never released again.
//
// Bookkeeping only: it calls no allocator, charges nothing and takes no lock; MemoryCore does, in the right order. A
// transition that a slab's state does not allow is a defect and throws std::logic_error.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/memory/claim.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pinion::host {

enum class SlabState { allocating, leased, idle, releasing };

struct SlabUse {
  Owner owner;
  std::string purpose;
  Bytes requested;
  bool by_resident = false;
  std::string label;  // of the claim
};

struct Slab {
  SlabState state = SlabState::allocating;
  void* data = nullptr;
  Bytes bytes;
  SlabKind kind = SlabKind::pageable;
  SeenAs seen = SeenAs::unknown;  // by the last device that said
  SlabKinds wanted;               // kinds its first user accepts: the allocators that may make it
  Placement placement;
  std::size_t source = 0;  // which of the sources made it
  SlabUse use;             // while leased
  TimePoint idle_since;
  std::string last_label;  // of its last lease
  std::uint64_t leases = 0;
  std::vector<std::string> labels;  // of its leases, each once, in order of first use
  std::string stuck;                // why the OS does not get it back; "": it does
};

// How a missing slab would be made.
struct Birth {
  std::size_t source = 0;
  Bytes bytes;  // rounded to the granularity of every source that may have to make it
};

class Pool {
 public:
  Pool(const std::vector<std::shared_ptr<SlabSource>>& sources, double max_waste);

  double max_waste() const noexcept { return max_waste_; }

  // From now on slabs are made by these, the first preferred, and only slabs of theirs are lent. Those of others stay
  // on the books until they end.
  void use(const std::vector<std::shared_ptr<SlabSource>>& sources);

  // unsupported: no source makes an acceptable kind; over_budget: the size is beyond them.
  Result<Birth> birth(const SlabNeed& need) const;

  // True when `slab` can serve `need` with at most `waste` of it left over.
  static bool fits(const Slab& slab, const SlabNeed& need, double waste);

  // For each need, which of the slabs that `may` be taken serves it with least left over, at most `waste` of it; each
  // slab once. The largest need chooses first: a smaller one may do with what is left.
  std::vector<std::optional<SlabId>> serve(const std::vector<const SlabNeed*>& needs, double waste,
                                           const std::function<bool(SlabId, const Slab&)>& may) const;

  SlabId begin(const Birth& birth, const SlabNeed& need, SlabUse use);
  // Before it is born.
  void set_kind(SlabId id, SlabKind kind);
  void born(SlabId id, void* data, std::size_t source);
  void lend(SlabId id, SlabUse use);
  // How a device knows it, while it is leased.
  void set_seen(SlabId id, SeenAs seen);
  void give_back(SlabId id, TimePoint now);
  void begin_release(SlabId id);
  // Its allocator could not release it, for the reason given.
  void keep(SlabId id, std::string stuck, TimePoint now);
  // Ends an allocating or releasing slab. Returns what it was, and so what was charged for it.
  Slab forget(SlabId id);

  const Slab& at(SlabId id) const { return slabs_.at(id); }
  const std::map<SlabId, Slab>& slabs() const noexcept { return slabs_; }
  Bytes idle_bytes() const;
  Bytes stuck_bytes() const;

  // Sources in use, from `first` on, that make a kind in `kinds`, by index: the order in which they are tried.
  std::vector<std::size_t> sources_from(std::size_t first, SlabKinds kinds) const;
  // The first of them; there is one.
  std::size_t preferred() const { return in_use_.at(0); }
  SlabSource& source(std::size_t i) const { return *sources_.at(i).source; }
  const SlabSourceInfo& source_info(std::size_t i) const { return sources_.at(i).info; }

  std::uint64_t made = 0, reused = 0, released = 0, fallback_uses = 0;
  // How often a slab went from work of one label to work of another.
  std::map<std::pair<std::string, std::string>, std::uint64_t> handovers;

 private:
  struct Source {
    std::shared_ptr<SlabSource> source;
    SlabSourceInfo info;
  };
  void note_label(Slab& slab);
  // Place of a source in the order of preference; in_use_.size() when it makes no slabs now.
  std::size_t rank(std::size_t source) const;
  Slab& in_state(SlabId id, SlabState state, const char* transition);

  const double max_waste_;
  std::deque<Source> sources_;       // all there ever were: slabs name theirs by index
  std::vector<std::size_t> in_use_;  // those that make slabs now, in order of preference
  std::map<SlabId, Slab> slabs_;
  std::uint64_t last_id_ = 0;
};

}  // namespace pinion::host
