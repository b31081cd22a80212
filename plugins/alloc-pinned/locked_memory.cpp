#include "locked_memory.hpp"

#include <sys/resource.h>

#include <fstream>
#include <sstream>

namespace pinned {
namespace {

constexpr unsigned cap_ipc_lock = 14;

struct ProcessFacts {
  std::uint64_t locked = 0;        // VmLck
  std::uint64_t capabilities = 0;  // CapEff
};

ProcessFacts read_facts() {
  ProcessFacts facts;
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "VmLck:" && words >> facts.locked) facts.locked *= 1024;
    if (name == "CapEff:") words >> std::hex >> facts.capabilities;
  }
  return facts;
}

}  // namespace

LockedMemory LockedMemory::now() {
  const ProcessFacts facts = read_facts();
  LockedMemory out;
  out.locked = facts.locked;
  rlimit limit{};
  const bool known = ::getrlimit(RLIMIT_MEMLOCK, &limit) == 0;
  const bool exempt = (facts.capabilities >> cap_ipc_lock & 1u) != 0;
  if (known && limit.rlim_cur != RLIM_INFINITY && !exempt) out.limit = limit.rlim_cur;
  return out;
}

bool LockedMemory::allows(std::uint64_t more) const {
  return !limit || (locked <= *limit && more <= *limit - locked);
}

std::string LockedMemory::advice() const {
  if (!limit) return "RLIMIT_MEMLOCK does not limit this process";
  return "RLIMIT_MEMLOCK is " + std::to_string(*limit) + " bytes, " + std::to_string(locked) +
         " of them locked; raise it: ulimit -l unlimited, LimitMEMLOCK=infinity in the unit file, --ulimit memlock=-1 "
         "for a container";
}

}  // namespace pinned
