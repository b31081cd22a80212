#include <algorithm>
#include <pinion/host/memory/evictor.hpp>
#include <tuple>

namespace pinion::host {
namespace {

bool covered(const BytesBySpace& shortfall) {
  return std::all_of(shortfall.begin(), shortfall.end(), [](Bytes bytes) { return bytes.zero(); });
}

bool helps(const BytesBySpace& bytes, const BytesBySpace& shortfall) {
  for (std::size_t i = 0; i < shortfall.size(); ++i) {
    if (!shortfall[i].zero() && !bytes[i].zero()) return true;
  }
  return false;
}

void take(BytesBySpace& shortfall, const BytesBySpace& bytes) {
  for (std::size_t i = 0; i < shortfall.size(); ++i) {
    shortfall[i] = checked_sub(shortfall[i], bytes[i]).value_or(Bytes());
  }
}

void take_slabs(const std::vector<IdleSlab>& slabs, bool wanted, BytesBySpace& shortfall, Victims& victims) {
  for (const IdleSlab& slab : slabs) {
    if (slab.wanted != wanted || !helps(slab.bytes, shortfall)) continue;
    take(shortfall, slab.bytes);
    victims.slabs.push_back(slab);
  }
}

}  // namespace

Victims choose_victims(Idle idle, BytesBySpace shortfall, TimePoint now, Duration min_idle, Spare spare) {
  std::sort(idle.slabs.begin(), idle.slabs.end(), [](const IdleSlab& a, const IdleSlab& b) {
    return std::tie(b.bytes.front(), a.since, a.id) < std::tie(a.bytes.front(), b.since, b.id);
  });
  std::sort(idle.residents.begin(), idle.residents.end(), [](const IdleResident& a, const IdleResident& b) {
    return std::tie(a.critical, a.reload, a.since) < std::tie(b.critical, b.reload, b.since);
  });
  Victims victims;
  for (const IdleResident& resident : idle.residents) {
    if (!resident.seated) continue;
    take(shortfall, resident.bytes);
    victims.residents.push_back(resident);
  }
  std::erase_if(idle.residents, [](const IdleResident& resident) { return resident.seated; });
  take_slabs(idle.slabs, false, shortfall, victims);
  const auto take_residents = [&](auto&& may_go) {
    for (const IdleResident& resident : idle.residents) {
      if (!helps(resident.bytes, shortfall) || !may_go(resident)) continue;
      take(shortfall, resident.bytes);
      victims.residents.push_back(resident);
    }
  };
  const auto spared = [&](const IdleResident& resident) {
    return resident.critical || resident.since + min_idle > now;
  };
  take_residents([&](const IdleResident& resident) {
    if (spared(resident) && !resident.critical)
      victims.next_time = std::min(victims.next_time.value_or(TimePoint::max()), resident.since + min_idle);
    return !spared(resident);
  });
  take_slabs(idle.slabs, true, shortfall, victims);
  if (spare == Spare::no) take_residents(spared);
  victims.enough = covered(shortfall);
  return victims;
}

}  // namespace pinion::host
