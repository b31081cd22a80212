// Hosts drawn at random, and everything going wrong with them: unequal devices of which one is lost and another struck
// out, budgets that just hold one job of each kind, an allocator that fails and keeps what it was given, plugins that
// leak, hang and throw, and a change of allocator and route in between. As in mixed_test, nothing may be lost, charged
// to nobody, or wait for ever.
#include <cstdlib>

#include "traffic.hpp"

using namespace toy;

namespace {

// A host and what its clients may meet.
class Weather {
 public:
  explicit Weather(unsigned seed) : random_(seed) {
    manners_.jobs = 12;
    if (one_in(3)) manners_.most_partitions = 12;  // more than there are workers
    manners_.most_count = 2000 + below(40000);
    manners_.most_ballast = 1 + below(150000);
    if (one_in(3)) manners_.params_dirs = {"/elsewhere"};
    devices_ = 1 + below(3);
    own_memory_ = one_in(2);
    critical_reserve_ = one_in(2) ? 0 : below(300) * 1024;
    urgent_keys_ = one_in(3) ? 8 + below(200000) : 0;
    if (!one_in(4)) draw_faults();
  }

  const Manners& manners() const { return manners_; }

  std::string config(bool other_side) const {
    const std::string allocator = other_side ? "toy-pinned" : "alloc-heap";
    const std::string fallback = other_side ? "fallback = \"alloc-heap\"\n" : "";
    return "[memory]\nsafety_margin = \"1MiB\"\nbudget = \"" + std::to_string(budget()) + "B\"\ncritical_reserve = \"" +
           std::to_string(critical_reserve_) + "B\"\nevict_min_idle = \"" + (spares_ ? "5m" : "0s") +
           "\"\n[plugins]\nproofs = [\"toy-proof\"]\nallocator = \"" + allocator + "\"\n" + fallback +
           "backends = [\"toy-backend\"]\n[pipeline]\nretries = 2\nmax_synthesis = " + std::to_string(syntheses_) +
           "\njob_format = \"" + (other_side ? "evaluations" : "witness") + "\"\n" +
           script("toy-proof", proof_, "urgent = true\nurgent_keys = \"" + std::to_string(urgent_keys_) + "B\"") +
           script("toy-pinned", allocator_) +
           script("toy-backend", backend_,
                  "unequal = true\ndevices = " + std::to_string(devices_) + "\nstarts_in_flight = " +
                      std::to_string(starts_) + "\nderived = " + (derived_ ? "true" : "false") +
                      "\ndevice_memory = \"" + std::to_string(own_memory_ ? device_memory() : 0) + "B\"\n");
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  std::string every(std::uint64_t from) { return "/" + std::to_string(from + below(from)); }

  // What the largest job takes, in whole pages, and something to spare.
  std::uint64_t budget() const {
    const auto pages = [](std::uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; };
    const std::uint64_t buffers = pages((500 + manners_.most_count) * 8) + 4096 + 65536 + 8192;
    const std::uint64_t residents = 8192 + (own_memory_ ? 0 : keys() + 8192), loading = 4096 + 2 * 8192;
    return critical_reserve_ * 2 + buffers + 2 * 4096 + residents + loading + manners_.most_ballast * 3 / 2 + slack_;
  }
  // An arena and the keys, of which loading takes more.
  std::uint64_t device_memory() const { return ((1 << 20) + keys() + 8192 + 8192 + 8192) * 16 / 15 + 16; }
  std::uint64_t keys() const { return std::max<std::uint64_t>(65536, urgent_keys_); }

  void draw_faults() {
    const auto add = [this](std::vector<std::string>& script, const std::string& line, std::set<Code> codes) {
      if (!one_in(3)) return;
      script.push_back(line);
      manners_.faults.merge(codes);
    };
    if (devices_ > 1) {  // of one that is alone nothing more would be seen
      const std::string lost = std::to_string(1 + below(100)) + "+";
      add(backend_, "start@" + std::to_string(below(devices_)) + ":" + lost + ":device_lost", {Code::device_lost});
      add(backend_, "finish@0:" + every(20) + ":flip", {Code::proof_invalid, Code::device_lost});
      // A second one, after long: with two devices none may be left.
      add(backend_,
          "finish@" + std::to_string(below(devices_)) + ":" + std::to_string(50 + below(100)) + "+:device_lost",
          {Code::device_lost});
    }
    add(backend_, "start:" + every(20) + ":leak", {Code::out_of_memory});
    add(backend_, "finish:" + every(20) + ":throw", {Code::internal});
    add(backend_, "start:" + every(20) + ":out_of_memory", {Code::out_of_memory});
    add(backend_, "load:" + every(5) + ":out_of_memory", {Code::out_of_memory});
    add(backend_, "load:" + every(3) + ":sleep20", {});
    add(backend_, "start:" + every(2) + ":sleep3", {});
    add(proof_, "open:" + every(20) + ":internal", {Code::internal});
    add(proof_, "open:" + every(20) + ":leak", {Code::out_of_memory});
    add(proof_, "plan:" + every(30) + ":throw", {Code::internal});
    add(proof_, "load:" + every(4) + ":invalid_input", {Code::invalid_input});
    add(proof_, "load:" + every(5) + ":flip", {Code::internal});
    add(proof_, "synthesize:" + every(20) + ":leak", {Code::out_of_memory});
    add(proof_, "synthesize:" + every(20) + ":throw", {Code::internal});
    add(proof_, "verify:" + every(20) + ":internal", {Code::internal});
    add(proof_, "assemble:" + every(20) + ":throw", {Code::internal});
    // What an allocator keeps is gone from the budget.
    add(allocator_, "release:" + every(one_in(2) ? 4 : 30) + ":device_lost", {Code::over_budget});
    add(allocator_, "allocate:" + every(5) + ":out_of_memory", {Code::out_of_memory});
    if (one_in(4)) {
      manners_.impatient = true;
      for (const char* stage : {"open", "load", "synthesize", "verify"})
        if (one_in(2)) proof_.push_back(stage + (":" + every(15)) + ":hang");
      for (const char* stage : {"load", "start", "finish"})
        if (one_in(2)) backend_.push_back(stage + (":" + every(15)) + ":hang");
    }
  }

  std::mt19937 random_;
  Manners manners_;
  std::uint64_t devices_ = 1, critical_reserve_ = 0, urgent_keys_ = 0;
  bool own_memory_ = false;
  const bool derived_ = one_in(2), spares_ = one_in(2);
  const std::uint64_t syntheses_ = 1 + below(6), starts_ = 1 + below(2), slack_ = one_in(2) ? 0 : below(1 << 19);
  std::vector<std::string> proof_, backend_, allocator_;
};

void storm(unsigned seed) {
  INFO("SEED=" << seed);
  const Weather weather(seed);
  INFO(weather.config(true));
  Host host(parsed(weather.config(false)), {parsed(weather.config(true))});
  Prover& prover = host.prover();
  for (unsigned phase = 0; phase < 3; ++phase) {
    prover.use((seed + phase) % 2);
    for (const std::string& wrong : traffic(host, seed * 10 + phase, 8, weather.manners())) FAIL_CHECK(wrong);
    host.check_all_returned();
  }
  for (std::uint32_t i = 0; i < prover.snapshot().spaces.size(); ++i) {
    prover.evict(i == 0 ? SpaceId::host() : SpaceId::device(i - 1), Bytes(UINT64_MAX));
    const SpaceStatus space = host.space(i);
    Bytes kept = space.stuck;
    for (const HoldingStatus& holding : space.holdings)
      if (holding.purpose == "kept for critical work") kept += holding.reserved;
    CHECK(space.used == kept);
  }
}

}  // namespace

TEST_CASE("Storms") {
  // SEED=N: that one alone.
  if (const char* given = std::getenv("SEED")) return storm(static_cast<unsigned>(std::stoul(given)));
  for (unsigned seed = 0; seed < 3; ++seed) storm(seed);
}

// SEED=N: from there.
TEST_CASE("Many storms", "[.][storms]") {
  const char* given = std::getenv("SEED");
  const unsigned first = given ? static_cast<unsigned>(std::stoul(given)) : 0;
  for (unsigned seed = first; seed < first + 100; ++seed) storm(seed);
}
