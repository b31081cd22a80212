// Residents: big reloadable things kept warm in a space (parameters, shapes). Counted by those who use them; loaded
// once for all who ask; dropped by the evictor when nobody does. ResidentLoader is what memory wants of whoever can
// load one.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/base/status.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/host/memory/slab.hpp>
#include <pinion/host/memory/space.hpp>
#include <pinion/host/report/spans.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace pinion::host {

class Lease;
class ResidentLoader;
class ResidentRef;

// One buffer asked of the pool. Zero bytes are granted as an empty lease.
struct SlabNeed {
  Bytes bytes;
  SlabKinds kinds;
  Placement placement;
  std::string purpose;  // shown in status: "evaluations a"
};

// Bytes of a space that somebody makes himself.
struct ByteNeed {
  SpaceId space;
  Bytes bytes;
  std::string purpose;
};

struct ResidentSpec {
  std::string id;      // with `home`, what tells residents apart
  SpaceId home;        // where it is used
  std::string plugin;  // who loads it
  // What it costs while loaded: bytes its loader makes (in any spaces), and at most one slab that is lent to it.
  std::vector<ByteNeed> bytes;
  std::optional<SlabNeed> buffer;
  // What it costs on top of that while load() runs.
  std::vector<ByteNeed> load_bytes;
  Duration reload{};  // an estimate: what is cheap to load again is dropped first
  std::shared_ptr<ResidentLoader> loader;
};

// What load() is given; valid during the call.
struct LoadCall {
  const ResidentSpec& spec;
  const Owner& owner;                           // whose claim loads it
  const Lease* buffer;                          // the slab, the resident's until unload; nullptr without spec.buffer
  std::span<const ResidentRef* const> earlier;  // of the residents named before this one in the claim, those loaded
  std::stop_token stop;                         // nobody waits for it any more: give up with `cancelled`
  std::uint32_t priority = 0;                   // of the claim
  SpanId span{};                                // of this load
};

class ResidentLoader {
 public:
  virtual ~ResidentLoader() = default;

  // Makes it resident within the stated bytes, which are charged. The handle may be null. On failure nothing is kept.
  // Called without any lock held. [worker]
  virtual Result<void*> load(const LoadCall& call) = 0;

  // Drops it; nobody uses it. Called without any lock held. [worker]
  virtual void unload(void* handle) noexcept = 0;
};

}  // namespace pinion::host
