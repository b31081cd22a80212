// Random steps for the model of the memory, and how they are shown when one fails: as a list of what was done.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <ostream>
#include <pinion/host/memory/memory.hpp>
#include <string_view>
#include <vector>

namespace pinion::host::test {

inline constexpr std::uint64_t kDevice = 500;  // bytes of device 0
inline constexpr int kCritical = 4;

struct ResidentFacts {
  std::uint64_t bytes;
  bool buffered;  // lives in a slab of the pool
  SpaceId home;
  std::uint64_t load_bytes;  // of the host, on top while it is loaded
};
inline const std::vector<ResidentFacts> kResidents = {{60, false, SpaceId::host(), 0},
                                                      {130, true, SpaceId::host(), 0},
                                                      {200, false, SpaceId::host(), 50},
                                                      {270, false, SpaceId::device(0), 20}};

enum class Do {
  claim_now,        // what cannot wait
  claim,            // on a thread of its own; cancelled when it waits
  end,              // of one that was granted
  end_all,          // nobody works
  evict,            // bytes of a space
  evict_resident,   // by name
  preload,          // into what is free
  allocator_fails,  // while it claims
  loader_fails,     // while it claims
  time,             // passes
  lose_device,      // whose slabs the driver keeps from now on
};

// Each kind reads the fields it needs.
struct Step {
  Do what{};
  std::vector<std::uint64_t> slabs;  // each made for device size % 3, 0 being none
  std::uint64_t host = 0, device = 0;
  std::vector<int> residents;
  bool critical = false;
  std::size_t which = 0;

  bool names(int resident) const { return std::find(residents.begin(), residents.end(), resident) != residents.end(); }
};

// The least and the most that a claim takes, each resident counted once: with all of them there, and with none.
struct Asked {
  std::uint64_t host = 0, device = 0, to_load = 0;
  std::uint64_t host_most() const { return host + to_load; }
};

inline Asked asked(const Step& step) {
  Asked sum{step.host, step.device, 0};
  for (const std::uint64_t size : step.slabs) sum.host += size;
  for (int i = 0; i < static_cast<int>(kResidents.size()); ++i) {
    if (!step.names(i)) continue;
    const ResidentFacts& facts = kResidents[static_cast<std::size_t>(i)];
    (facts.home == SpaceId::host() ? sum.host : sum.device) += facts.bytes;
    sum.to_load += facts.load_bytes;
  }
  return sum;
}

inline std::ostream& operator<<(std::ostream& out, const Step& step) {
  constexpr std::array<std::string_view, 11> verbs{"claim now",
                                                   "claim",
                                                   "end",
                                                   "all end",
                                                   "evict",
                                                   "evict resident",
                                                   "preload",
                                                   "claim, the allocator failing",
                                                   "claim, the loaders failing",
                                                   "time passes",
                                                   "lose device"};
  out << "\n  " << verbs.at(static_cast<std::size_t>(step.what));
  switch (step.what) {
    case Do::end_all:
      return out;
    case Do::end:
    case Do::evict:
    case Do::evict_resident:
    case Do::time:
    case Do::lose_device:
      return out << " [" << step.which << "]";
    default:
      break;
  }
  if (step.critical) out << " critical";
  for (const std::uint64_t size : step.slabs) out << " slab:" << size;
  if (step.host != 0) out << " host:" << step.host;
  if (step.device != 0) out << " device:" << step.device;
  for (const int i : step.residents) out << " r" << i;
  return out;
}

// A few numbers below `end`. Each over the whole range: a range of RapidCheck shrinks with the size of what it is in.
template <class T>
rc::Gen<std::vector<T>> few(int most, T end) {
  return rc::gen::resize(
      most, rc::gen::container<std::vector<T>>(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, end))));
}

inline rc::Gen<Step> any_step() {
  using rc::gen::inRange;
  using rc::gen::set;
  const auto what = rc::gen::weightedElement<Do>({{4, Do::claim_now},
                                                  {4, Do::claim},
                                                  {5, Do::end},
                                                  {2, Do::end_all},
                                                  {1, Do::evict},
                                                  {1, Do::evict_resident},
                                                  {2, Do::preload},
                                                  {1, Do::allocator_fails},
                                                  {1, Do::loader_fails},
                                                  {2, Do::time},
                                                  {1, Do::lose_device}});
  const int last = static_cast<int>(kResidents.size());
  return rc::gen::build<Step>(set(&Step::what, what), set(&Step::slabs, few<std::uint64_t>(4, 400)),
                              set(&Step::host, inRange<std::uint64_t>(0, 300)),
                              set(&Step::device, inRange<std::uint64_t>(0, 300)),
                              set(&Step::residents, few<int>(3, last)),
                              set(&Step::critical, rc::gen::weightedElement<bool>({{3, false}, {1, true}})),
                              set(&Step::which, inRange<std::size_t>(0, 1000)));
}

}  // namespace pinion::host::test
