// A claim: everything one step needs, asked for at once and granted as a whole or not at all; and what a grant hands
// out. Granted things are move-only values: dropping one gives back exactly what was charged for it.
#pragma once

#include <functional>
#include <memory>
#include <pinion/host/memory/resident.hpp>
#include <pinion/host/report/spans.hpp>

namespace pinion::host {

class MemoryCore;

using SlabId = Id<struct SlabSort>;
using LeaseId = Id<struct LeaseSort>;
using ReservationId = Id<struct ReservationSort>;

// Where it is told what a claim did until it was granted: spans within `parent` for waiting, for evicting, for loading
// and for making slabs.
struct ClaimTrace {
  Spans* spans = nullptr;  // none: nothing is told
  SpanId parent{};

  Span open(std::string_view name, const Owner& owner) const {
    return spans == nullptr ? Span() : spans->open(name, owner, parent);
  }
};

struct Claim {
  Owner owner;
  std::uint32_t priority = 0;   // larger is served first
  std::vector<SlabNeed> slabs;  // from the host's pool
  std::vector<ByteNeed> bytes;
  std::vector<ResidentSpec> residents;  // loaded in this order
  std::string label{};                  // what the work is, for the history of slabs: the id of a kind
  ClaimTrace trace{};
  bool drops = true;  // false: takes what is free, and nothing idle is dropped for it
  // Its bytes are held for as long as others work: who does not fit beside them is refused, and does not wait for them.
  bool standing = false;
  // Called when it waits for nothing but what others hold who are not at work either: they may have to give way.
  // Without any lock held; the claim goes on waiting.
  std::function<void()> stalled{};

  Span span(std::string_view name) const { return trace.open(name, owner); }
};

// A slab, lent. [any], one thread at a time.
class Lease {
 public:
  Lease() noexcept = default;
  Lease(Lease&& other) noexcept { swap(other); }
  Lease& operator=(Lease&& other) noexcept;
  ~Lease() { reset(); }

  void* data() const noexcept { return data_; }          // nullptr for zero bytes
  Bytes bytes() const noexcept { return bytes_; }        // as asked for
  Bytes capacity() const noexcept { return capacity_; }  // as charged
  SlabKind kind() const noexcept { return kind_; }
  LeaseId id() const noexcept { return id_; }  // unique for the life of the process

  // Tells the books how `device` (its label) knows this memory. What contradicts the allocator is logged, once for each
  // allocator. Nothing is lent, or nothing known: nothing happens.
  void seen_by(const std::string& device, SeenAs seen) const;

  // Back to the pool, where the slab stays idle and charged.
  void reset() noexcept;
  // Back to the OS: the slab is released and uncharged.
  void discard() noexcept;

 private:
  friend class MemoryCore;
  void swap(Lease& other) noexcept;
  void end(bool to_os) noexcept;
  std::shared_ptr<MemoryCore> core_;
  SlabId slab_;
  LeaseId id_;
  void* data_ = nullptr;
  Bytes bytes_;
  Bytes capacity_;
  SlabKind kind_ = SlabKind::pageable;
};

// Bytes charged for something the holder makes himself. [any], one thread at a time.
class Reservation {
 public:
  Reservation() noexcept = default;
  Reservation(Reservation&& other) noexcept { swap(other); }
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation() { reset(); }

  Bytes bytes() const noexcept { return bytes_; }
  SpaceId space() const noexcept { return space_; }

  // Gives part of it back, at most all of it: what exceeds bytes() is refused with `internal` and nothing changes.
  Status release(Bytes part) noexcept;
  void reset() noexcept;

 private:
  friend class MemoryCore;
  void swap(Reservation& other) noexcept;
  std::shared_ptr<MemoryCore> core_;
  ReservationId id_;
  SpaceId space_;
  Bytes bytes_;
};

struct ResidentEntry;

// A use of a loaded resident, which cannot be dropped meanwhile. [any], one thread at a time.
class ResidentRef {
 public:
  ResidentRef() noexcept = default;
  ResidentRef(ResidentRef&& other) noexcept { swap(other); }
  ResidentRef& operator=(ResidentRef&& other) noexcept;
  ~ResidentRef() { reset(); }

  const ResidentSpec& spec() const noexcept;  // as first loaded
  void* handle() const noexcept;              // what load() returned
  void reset() noexcept;

 private:
  friend class MemoryCore;
  void swap(ResidentRef& other) noexcept;
  std::shared_ptr<MemoryCore> core_;
  std::shared_ptr<ResidentEntry> entry_;
};

// What a claim got, in the order it was asked for.
struct Granted {
  std::vector<Lease> slabs;
  std::vector<Reservation> bytes;
  std::vector<ResidentRef> residents;
};

}  // namespace pinion::host
