// The inside of Memory, shared with the values it grants: all state under one mutex, because claims are few and huge
// and must be decided over all spaces at once. Included by the .cpp files of this folder only.
//
// Who calls whom: admission (may this claim go now?) -> order (is it its turn?) and plan (what would it take?) ->
// evictor (what could be dropped?), then, with the lock released, realise (make and load what is missing).
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <pinion/host/memory/budget.hpp>
#include <pinion/host/memory/evictor.hpp>
#include <pinion/host/memory/memory.hpp>
#include <pinion/host/memory/order.hpp>
#include <pinion/host/memory/pool.hpp>
#include <set>

namespace pinion::host {

struct ReservationEntry {
  Owner owner;
  std::string purpose;
  Bytes bytes;
  bool standing;
};

struct ResidentEntry {
  enum class State { loading, ready, failed, unloading };
  ResidentSpec spec;
  State state = State::loading;
  std::uint32_t users = 0;  // claims that load it or wait for it, and references
  bool critical = false;    // the last claim that asked for it was
  void* handle = nullptr;
  Lease buffer;          // of spec.buffer
  BytesBySpace charged;  // for spec.bytes
  TimePoint idle_since;
  Status failure;            // when failed
  bool loader_left = false;  // the claim that loads it has failed or was cancelled: with no other user, stop
  bool given_up = false;     // told to stop: whatever comes of it, nobody gets it
  bool orphaned = false;     // failed because the claim to load it had lost what it is made from: others may have that
  std::stop_source stop;

  bool idle() const noexcept { return state == State::ready && users == 0; }
};

struct Space {
  Space(SpaceId space, Bytes limit, Bytes reserve, std::string decided_by)
      : id(space), source(std::move(decided_by)), budget(limit, reserve) {}
  const SpaceId id;
  const std::string source;  // of the budget
  Budget budget;
  std::map<ReservationId, ReservationEntry> reservations;
  std::uint64_t loads = 0, hits = 0, evicted = 0;
};

// Where one slab of a claim comes from; neither: zero bytes.
struct SlabChoice {
  std::optional<SlabId> reuse;
  std::optional<Birth> birth;
};

// Which idle slabs serve a need: those that exceed it by little, any that are large enough, or only those that could
// not be dropped anyway.
enum class Reuse { within_waste, any, stuck };

// Whether idle residents stay where they are, or a plan may count on dropping even the claim's own: they are loaded
// anew, and stuck slabs that idle residents have are taken from them.
enum class Loaded { stays, anew };

// What granting a claim now would take.
struct Plan {
  std::vector<SlabChoice> slabs;    // of the claim
  std::vector<SlabChoice> buffers;  // of its residents
  std::vector<bool> loads;          // which residents are missing
  BytesBySpace charge;              // new bytes
  std::set<SlabId> taken;           // slabs it reuses
};

// A resident this claim has to load.
struct LoadDuty {
  std::size_t index = 0;  // in the claim's residents
  std::vector<Reservation> load_bytes;
};

struct Commit {
  Granted granted;
  std::vector<LoadDuty> duties;
  bool again = false;  // it failed by what is only another claim's matter: what it wants is to be claimed anew
};

struct Attempt {
  std::optional<Commit> commit;
  Victims victims;                    // to drop before another attempt
  std::optional<TimePoint> retry_at;  // time alone may change the answer
  bool stalled = false;               // nothing is about to come back by itself, and only others hold what is missing
};

class MemoryCore : public std::enable_shared_from_this<MemoryCore> {
 public:
  using Lock = std::unique_lock<std::mutex>;

  MemoryCore(const MemoryOptions& options, std::vector<SpaceSetup> spaces, const Clock& clock, Log& log);

  // admission.cpp
  Result<Granted> claim(const Claim& claim, const std::stop_token& stop);
  Result<Granted> try_claim(const Claim& claim, const std::stop_token& stop);
  Result<Commit> admit_now(const Claim& claim);
  void look_again();
  Result<Bytes> cost(const Claim& claim, SpaceId space) const;
  Urgency urgency(std::uint32_t priority) const noexcept {
    return order_.critical(priority) ? Urgency::critical : Urgency::ordinary;
  }

  // eviction.cpp
  Bytes evict(SpaceId space, Bytes wanted, Spare spare);
  Result<Bytes> evict_resident(SpaceId space, const std::string& id);
  Bytes use(const std::vector<std::shared_ptr<SlabSource>>& sources);
  Bytes retire(const Placement& placement);
  void close();

  // warm.cpp
  void warm(const WarmOrder& order, const std::stop_token& stop);

  // returns.cpp: what granted values call, most of it when they end
  void seen_by(SlabId slab, const std::string& device, SeenAs seen);
  void give_back(SlabId slab, bool to_os);
  void release_bytes(ReservationId id, SpaceId space, Bytes part);
  void drop_user(const std::shared_ptr<ResidentEntry>& entry);

  // core.cpp
  std::vector<SpaceStatus> snapshot() const;
  std::vector<HoldingStatus> holdings(const std::string& job) const;

  const Space* find(SpaceId id) const noexcept;
  bool closed() const;

 private:
  using ResidentKey = std::pair<SpaceId, std::string>;

  // refusal.cpp
  Result<BytesBySpace> total_of(const Claim& claim, Loaded loaded = Loaded::stays) const;
  Status refuse_impossible(const Claim& claim, const BytesBySpace& total) const;
  BytesBySpace stuck_beyond(const Claim& claim) const;
  static Bytes standing(const Space& space);
  Status in_use(const Claim& claim, const BytesBySpace& total) const;

  // admission.cpp
  bool lacks(std::size_t space, const Waiter& waiter) const;
  void leave_queue(Waiter& waiter);
  void queue_changed();  // who waits, or what they want, or how often they were overtaken
  void changed();        // something that waiting claims look at
  void loaded_changed(const ResidentKey& resident);
  void wake_all();
  Attempt attempt(const Claim& claim, bool waits);
  Victims victims_for(const Claim& claim, const Plan& plan, Loaded loaded, Spare spare) const;
  Victims last_resort(const Claim& claim) const;
  bool somebody_works() const;
  bool others_hold(const Claim& claim) const;
  Result<Commit> admit(const Claim& claim, const std::stop_token& stop);
  void tell_small_reserve(const Claim& claim);
  Result<Commit> wait_in_queue(Lock& lock, Waiter& waiter, const std::stop_token& stop);

  // plan.cpp
  Plan make_plan(const Claim& claim, Reuse reuse, Loaded loaded = Loaded::stays) const;
  std::set<SlabId> seats_of_idle() const;
  bool fits(const Plan& plan, Urgency urgency) const;
  Commit commit(const Claim& claim, const Plan& plan);
  SlabKind kind_of(const Birth& birth) const { return pool_.source_info(birth.source).kind; }
  void charge(const Birth& birth, Urgency urgency);
  Lease lend(const Claim& claim, const SlabNeed& need, const SlabChoice& choice, bool by_resident);
  Reservation reserve(const Claim& claim, const ByteNeed& need);

  // realise.cpp: called without the lock
  Result<Granted> realised(const Claim& claim, const std::function<Result<Commit>()>& admit,
                           const std::stop_token& stop);
  Status realise(const Claim& claim, Commit& commit, const std::stop_token& stop);
  Status make_slab(Lease& lease, const Claim& claim);
  Result<void*> ask_allocator(std::size_t source, const Slab& slab, const Claim& claim);
  Status adopt_kind(SlabId slab, SlabKind kind);
  Status load(const Claim& claim, Commit& commit, LoadDuty& duty, const std::stop_token& stop);
  Result<void*> call_loader(const Claim& claim, Commit& commit, ResidentEntry& entry, std::size_t index);
  bool give_up(const std::shared_ptr<ResidentEntry>& entry);
  void begin_leaving(const std::shared_ptr<ResidentEntry>& entry);
  void loading_failed(const std::shared_ptr<ResidentEntry>& entry, const Status& failure);
  bool loaded_for_others(const Commit& commit, const LoadDuty& duty);
  Status wait_loaded(const Claim& claim, Commit& commit, ResidentEntry& entry, const std::stop_token& stop);
  void abandon(const Claim& claim, Commit& commit, std::size_t next_duty, const Status& why,
               const std::stop_token& stop);

  // eviction.cpp
  Idle idle_things(const std::set<SlabId>& keep_slabs, const Claim* keep_residents) const;
  bool wanted(const Slab& slab) const;
  Bytes drop(Lock& lock, const Victims& victims, std::size_t counted_space, const Claim* for_claim = nullptr);
  void drop_everything(Lock& lock);
  // These return what they uncharged, by space.
  BytesBySpace release_slab(Lock& lock, SlabId id);
  BytesBySpace release_buffer(Lock& lock, ResidentEntry& entry);
  bool is_stuck(const Lease& buffer) const;
  static void add(BytesBySpace& sum, const BytesBySpace& more);
  static void add_slab(BytesBySpace& sum, Bytes bytes, SlabKind kind);
  BytesBySpace uncharge(const Slab& slab);
  BytesBySpace uncharge(ResidentEntry& entry);
  void begin_unload(const std::shared_ptr<ResidentEntry>& entry);
  BytesBySpace finish_unload(Lock& lock, const std::shared_ptr<ResidentEntry>& entry, const Span& within = {});

  // warm.cpp
  Result<Lease> next_warm_slab(const WarmOrder& order, const Placement& placement, const std::stop_token& stop);

  // core.cpp
  std::vector<HoldingStatus> holdings_in(std::size_t space) const;
  void add_pool(SpaceStatus& status) const;
  void add_residents(SpaceStatus& status, std::size_t space) const;
  std::size_t index_of(SpaceId id) const;  // spaces_.size() when there is none
  BytesBySpace zero() const { return BytesBySpace(spaces_.size()); }

  const MemoryOptions options_;
  const Clock& clock_;
  Log& log_;

  mutable std::mutex mutex_;
  std::condition_variable load_ended_;
  std::uint64_t version_ = 0;  // counts changes, so that a waiter knows whether it has seen the latest
  bool closed_ = false;
  std::deque<Space> spaces_;  // host first, page-locked memory last
  Pool pool_;
  std::map<ResidentKey, std::shared_ptr<ResidentEntry>> residents_;  // loading or ready
  std::vector<std::shared_ptr<ResidentEntry>> leaving_;              // on their way out, still charged
  Order order_;                                                      // of those who wait
  std::uint64_t last_ticket_ = 0;
  std::uint64_t last_lease_ = 0;
  std::uint64_t last_reservation_ = 0;
  std::set<std::size_t> fallbacks_told_;
  std::set<std::size_t> contradictions_told_;  // sources
  bool small_reserve_told_ = false;
  std::set<std::string> stuck_told_;  // reasons
  WarmStatus warm_;
  std::condition_variable_any nobody_waits_;  // the queue became empty
};

}  // namespace pinion::host
