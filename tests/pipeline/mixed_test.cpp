// Everything at once: ordinary and critical jobs, faults, cancellations, checks of proofs, loading ahead, eviction and
// readers of the status, under limits that leave just enough. Every job ends as it should, nothing is lost and no byte
// is charged to nobody.
#include <cstdlib>

#include "traffic.hpp"

using namespace toy;

namespace {

struct Case {
  std::string name, pipeline, memory, backend;
  std::vector<std::string> proof_faults{}, backend_faults{};
  std::set<Code> faults{};
};

std::string config_of(const Case& traffic) {
  return "[memory]\nsafety_margin = \"1MiB\"\n" + traffic.memory +
         "[plugins]\nproofs = [\"toy-proof\"]\nallocator = \"alloc-heap\"\nbackends = [\"toy-backend\"]\n[pipeline]\n" +
         traffic.pipeline + script("toy-proof", traffic.proof_faults, "urgent = true") +
         script("toy-backend", traffic.backend_faults, traffic.backend);
}

const std::string all_but_never = "evict_min_idle = \"0s\"\n";

const std::vector<Case> cases = {
    {"one of everything", "max_synthesis = 1\nthreads = 1\n", "budget = \"2MiB\"\n", ""},
    {"memory for one", "max_synthesis = 8\nthreads = 2\n",
     "budget = \"1600KiB\"\ncritical_reserve = \"300KiB\"\n" + all_but_never, ""},
    {"devices with memory for one", "max_synthesis = 4\n", "budget = \"4MiB\"\n",
     "devices = 3\ndevice_memory = \"1500KiB\"\nderived = true\n"},
    {"many starts", "max_synthesis = 16\n", "budget = \"8MiB\"\n", "devices = 2\nstarts_in_flight = 4\n"},
    {"faults",
     "max_synthesis = 4\nretries = 3\n",
     "budget = \"4MiB\"\n" + all_but_never,
     "devices = 2\n",
     {"open:7:internal", "plan:9:throw", "synthesize:5:out_of_memory", "load:3:internal", "verify:4:internal",
      "synthesize:11:leak", "assemble:6:throw"},
     {"start:9:out_of_memory", "finish:13:internal", "load:2:out_of_memory", "start:21:flip", "finish:30:throw",
      "start:31:leak"},
     {Code::out_of_memory, Code::internal, Code::proof_invalid}},
};

}  // namespace

TEST_CASE("Mixed traffic under limits that leave just enough") {
  // SEED=N: another run, and a longer one.
  const char* given = std::getenv("SEED");
  const unsigned seed = given ? static_cast<unsigned>(std::stoul(given)) : 0;
  for (const Case& one : cases) {
    INFO(one.name);
    Host host(config_of(one));
    Manners manners;
    manners.jobs = given ? 120 : 25;
    manners.faults = one.faults;
    for (const std::string& wrong : traffic(host, seed, 10, manners)) FAIL_CHECK(wrong);
    host.check_all_returned();
  }
}
