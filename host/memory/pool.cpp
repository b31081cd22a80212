#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <pinion/host/base/units.hpp>
#include <pinion/host/memory/pool.hpp>
#include <stdexcept>
#include <tuple>

namespace pinion::host {

std::string kind_text(SlabKind kind) {
  return kind == SlabKind::pinned ? "pinned" : "pageable";
}

std::string seen_text(SeenAs seen) {
  constexpr std::array texts{"", "pageable", "pinned", "device", "managed", "mixed"};
  return texts.at(static_cast<std::size_t>(seen));
}

bool contradicts(SeenAs seen, SlabKind stated) {
  return seen != SeenAs::unknown && seen_text(seen) != kind_text(stated);
}

std::string kinds_text(SlabKinds kinds) {
  std::string out;
  for (SlabKind kind : {SlabKind::pinned, SlabKind::pageable}) {
    if (kinds.has(kind)) out += (out.empty() ? "" : " or ") + kind_text(kind);
  }
  return out.empty() ? "no" : out;
}

Pool::Pool(const std::vector<std::shared_ptr<SlabSource>>& sources, double max_waste) : max_waste_(max_waste) {
  use(sources);
}

void Pool::use(const std::vector<std::shared_ptr<SlabSource>>& sources) {
  in_use_.clear();
  for (const std::shared_ptr<SlabSource>& source : sources) {
    const auto known = std::find_if(sources_.begin(), sources_.end(), [&](auto& one) { return one.source == source; });
    in_use_.push_back(static_cast<std::size_t>(known - sources_.begin()));
    if (known != sources_.end()) continue;
    SlabSourceInfo info = source->describe();
    if (info.granularity.zero()) throw std::invalid_argument("allocator " + info.name + " states granularity 0");
    sources_.push_back({source, std::move(info)});
  }
}

std::size_t Pool::rank(std::size_t source) const {
  return static_cast<std::size_t>(std::find(in_use_.begin(), in_use_.end(), source) - in_use_.begin());
}

std::vector<std::size_t> Pool::sources_from(std::size_t first, SlabKinds kinds) const {
  std::vector<std::size_t> out;
  for (std::size_t i = rank(first); i < in_use_.size(); ++i) {
    if (kinds.has(sources_[in_use_[i]].info.kind)) out.push_back(in_use_[i]);
  }
  return out;
}

Result<Birth> Pool::birth(const SlabNeed& need) const {
  const std::vector<std::size_t> usable =
      in_use_.empty() ? std::vector<std::size_t>() : sources_from(in_use_.front(), need.kinds);
  if (usable.empty()) {
    std::string have;
    for (const std::size_t i : in_use_) {
      const Source& source = sources_[i];
      have += fmt::format("{}{} makes {}", have.empty() ? "" : ", ", source.info.name, kind_text(source.info.kind));
    }
    return Status(Code::unsupported, fmt::format("\"{}\" needs {} memory, which no configured allocator makes ({})",
                                                 need.purpose, kinds_text(need.kinds), have.empty() ? "none" : have));
  }
  Bytes step(1);
  for (std::size_t i : usable) step = std::max(step, sources_[i].info.granularity);
  const SlabSourceInfo& info = sources_[usable.front()].info;
  const Bytes largest = info.max_slab.zero() ? Bytes(INT64_MAX) : info.max_slab;
  const std::optional<Bytes> bytes = checked_round_up(need.bytes, step);
  if (!bytes || *bytes > largest) {
    return Status(Code::over_budget,
                  fmt::format("\"{}\" needs {} bytes in one piece; {} makes slabs of at most {} bytes", need.purpose,
                              need.bytes.count(), info.name, largest.count()));
  }
  return Birth{usable.front(), *bytes};
}

bool Pool::fits(const Slab& slab, const SlabNeed& need, double waste) {
  if (slab.bytes < need.bytes || !need.kinds.has(slab.kind)) return false;
  if (need.placement.numa_node >= 0 && need.placement.numa_node != slab.placement.numa_node) return false;
  const auto left_over = static_cast<double>((slab.bytes - need.bytes).count());
  return left_over <= waste * static_cast<double>(slab.bytes.count());
}

std::vector<std::optional<SlabId>> Pool::serve(const std::vector<const SlabNeed*>& needs, double waste,
                                               const std::function<bool(SlabId, const Slab&)>& may) const {
  struct Candidate {
    SlabId id;
    const Slab* slab;
    std::size_t rank;
  };
  std::vector<std::optional<SlabId>> out(needs.size());
  if (needs.empty()) return out;
  std::vector<Candidate> left;
  for (const auto& [id, slab] : slabs_) {
    if (!may(id, slab)) continue;
    if (const std::size_t of_source = rank(slab.source); of_source != in_use_.size())
      left.push_back({id, &slab, of_source});
  }
  // Among equals the configured allocator's slab comes before one made by a fallback, and an older before a younger.
  std::sort(left.begin(), left.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.slab->bytes, a.rank, a.id) < std::tie(b.slab->bytes, b.rank, b.id);
  });
  std::vector<std::size_t> order(needs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return needs[a]->bytes > needs[b]->bytes; });
  for (const std::size_t i : order) {
    const auto fit =
        std::find_if(left.begin(), left.end(), [&](const Candidate& one) { return fits(*one.slab, *needs[i], waste); });
    if (needs[i]->bytes.zero() || fit == left.end()) continue;
    out[i] = fit->id;
    left.erase(fit);
  }
  return out;
}

Slab& Pool::in_state(SlabId id, SlabState state, const char* transition) {
  const auto it = slabs_.find(id);
  if (it == slabs_.end() || it->second.state != state) {
    throw std::logic_error(
        fmt::format("pool: {} of slab {}, which is not in the state for it", transition, id.number()));
  }
  return it->second;
}

SlabId Pool::begin(const Birth& birth, const SlabNeed& need, SlabUse use) {
  const SlabId id(++last_id_);
  Slab slab;
  slab.bytes = birth.bytes;
  slab.kind = sources_.at(birth.source).info.kind;
  slab.wanted = need.kinds;
  slab.placement = need.placement;
  slab.source = birth.source;
  slab.use = std::move(use);
  note_label(slab);
  slabs_.emplace(id, std::move(slab));
  return id;
}

void Pool::set_kind(SlabId id, SlabKind kind) {
  in_state(id, SlabState::allocating, "choice of kind").kind = kind;
}

void Pool::born(SlabId id, void* data, std::size_t source) {
  Slab& slab = in_state(id, SlabState::allocating, "birth");
  slab.state = SlabState::leased;
  slab.data = data;
  slab.source = source;
  slab.kind = sources_.at(source).info.kind;
  ++made;
  if (rank(source) != 0) ++fallback_uses;
}

void Pool::lend(SlabId id, SlabUse use) {
  Slab& slab = in_state(id, SlabState::idle, "lease");
  slab.state = SlabState::leased;
  slab.use = std::move(use);
  note_label(slab);
  ++reused;
  if (rank(slab.source) != 0) ++fallback_uses;
}

void Pool::note_label(Slab& slab) {
  const std::string& label = slab.use.label;
  if (slab.leases++ != 0 && slab.last_label != label) ++handovers[{slab.last_label, label}];
  slab.last_label = label;
  if (std::find(slab.labels.begin(), slab.labels.end(), label) == slab.labels.end()) slab.labels.push_back(label);
}

void Pool::give_back(SlabId id, TimePoint now) {
  Slab& slab = in_state(id, SlabState::leased, "return");
  slab.state = SlabState::idle;
  slab.use = {};
  slab.idle_since = now;
}

void Pool::set_seen(SlabId id, SeenAs seen) {
  in_state(id, SlabState::leased, "sight").seen = seen;
}

void Pool::begin_release(SlabId id) {
  in_state(id, SlabState::idle, "release").state = SlabState::releasing;
}

void Pool::keep(SlabId id, std::string stuck, TimePoint now) {
  Slab& slab = in_state(id, SlabState::releasing, "keeping");
  slab.state = SlabState::idle;
  slab.use = {};
  slab.idle_since = now;
  slab.stuck = std::move(stuck);
}

Slab Pool::forget(SlabId id) {
  const auto it = slabs_.find(id);
  if (it == slabs_.end() || it->second.state == SlabState::leased || it->second.state == SlabState::idle) {
    throw std::logic_error(fmt::format("pool: end of slab {}, which is in use or unknown", id.number()));
  }
  if (it->second.state == SlabState::releasing) ++released;
  Slab slab = std::move(it->second);
  slabs_.erase(it);
  return slab;
}

Bytes Pool::stuck_bytes() const {
  Bytes sum;
  for (const auto& [id, slab] : slabs_)
    if (!slab.stuck.empty()) sum += slab.bytes;
  return sum;
}

Bytes Pool::idle_bytes() const {
  Bytes sum;
  for (const auto& [id, slab] : slabs_) {
    if (slab.state == SlabState::idle) sum += slab.bytes;
  }
  return sum;
}

}  // namespace pinion::host
