// The budget at start on a machine whose memory somebody else still holds. Figures come from a made-up machine; the
// predecessor of one test is a real process.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <pinion/host/config/load.hpp>
#include <pinion/host/config/machine_process.hpp>
#include <pinion/host/config/machine_start.hpp>
#include <pinion/test/fake_root.hpp>
#include <thread>

using namespace pinion::host;
using Catch::Contains;

namespace {

MemoryConfig memory_config(const std::string& lines) {
  ConfigSources sources;
  sources.file = "p.toml";
  sources.file_text = "[memory]\n" + lines;
  sources.defaults = {"a", {"b"}, {"c"}, "this test"};
  const LoadedConfig loaded = load_config(sources);
  REQUIRE(loaded.ok());
  return loaded.config.memory;
}

// 64 GiB, of which `available` are.
class Machine : public pinion::test::FakeRoot {
 public:
  Machine() {
    file("/proc/self/status", "Name:\tpinion\n");
    available(gib(60));
  }
  void available(Bytes bytes) {  // whole or not at all, for a reader beside
    file("/proc/meminfo.new", "MemTotal: 67108864 kB\nMemAvailable: " + std::to_string(bytes.count() / 1024) + " kB\n");
    std::filesystem::rename(path() + "/proc/meminfo.new", path() + "/proc/meminfo");
  }
  void process(int pid, const std::string& name, const std::string& lines) {
    file("/proc/" + std::to_string(pid) + "/status", "Name:\t" + name + "\nPPid:\t1\n" + lines);
  }
};

// Time that passes a hundred times faster than the clock on the wall.
class PassingTime {
 public:
  ManualClock clock;

 private:
  std::jthread hand_{[this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      clock.advance(std::chrono::milliseconds(100));
    }
  }};
};

struct Told {
  std::vector<std::string> lines;
  StartWait wait(Duration at_most) {
    StartWait wait;
    wait.at_most = at_most;
    wait.progress = [this](const std::string& line) { lines.push_back(line); };
    return wait;
  }
};

// Holds memory and gives it back in pieces; a process of its own.
class Predecessor {
 public:
  explicit Predecessor(std::size_t pieces) : pid_(::fork()) {
    if (pid_ != 0) return;
    constexpr std::size_t piece = std::size_t{16} << 20;
    std::vector<void*> held;
    for (std::size_t i = 0; i < pieces; ++i) {
      held.push_back(::mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      std::memset(held.back(), 1, piece);
    }
    ::usleep(300'000);
    for (void* data : held) {
      ::munmap(data, piece);
      ::usleep(60'000);
    }
    ::pause();
    ::_exit(0);
  }
  ~Predecessor() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Bytes resident() const {
    for (const ProcessFact& process : other_processes())
      if (process.pid == static_cast<std::uint32_t>(pid_)) return process.resident;
    return {};
  }

 private:
  const pid_t pid_;
};

}  // namespace

TEST_CASE("a machine with its memory free starts at once, with all of it", "[memory][start]") {
  const Machine machine;
  const SteadyClock clock;
  Told told;
  const auto decision = settle_budget(memory_config(""), told.wait(std::chrono::minutes(2)), clock, machine.path());
  REQUIRE(decision.ok());
  CHECK(decision->budget == gib(59));
  CHECK(decision->waited == Duration(0));
  CHECK(decision->warnings.empty());
  CHECK(told.lines.empty());
}

TEST_CASE("rule 12: a predecessor that gives its memory back is waited for, with progress", "[memory][start]") {
  Machine machine;
  const SteadyClock clock;
  Told told;
  const Predecessor predecessor(16);
  while (predecessor.resident() < mib(256)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto figures = [&] { machine.available(gib(59) + mib(32) - predecessor.resident()); };
  figures();
  const std::jthread kernel([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      figures();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  const auto decision = settle_budget(memory_config(""), told.wait(std::chrono::minutes(2)), clock, machine.path());
  REQUIRE(decision.ok());
  CHECK(decision->budget == gib(59));
  CHECK(decision->warnings.empty());
  CHECK(decision->waited >= std::chrono::milliseconds(500));
  REQUIRE(told.lines.size() == 1);  // said once
  CHECK_THAT(told.lines.front(), Contains("waiting for memory, at most 2m: ") && Contains("of 59.0 GiB available"));
  CHECK(predecessor.resident() <= mib(48));  // never before it was really there
}

TEST_CASE("rule 12: memory that nobody gives back makes the budget smaller, visibly", "[memory][start]") {
  Machine machine;
  machine.available(gib(20));
  machine.process(41, "database", "State:\tS (sleeping)\nVmRSS:\t41943040 kB\n");
  machine.process(42, "shell", "State:\tS (sleeping)\nVmRSS:\t1000 kB\n");
  machine.process(43, "kworker", "PPid:\t2\nState:\tS\n");
  PassingTime time;
  Told told;
  const auto decision =
      settle_budget(memory_config(""), told.wait(std::chrono::minutes(2)), time.clock, machine.path());
  REQUIRE(decision.ok());
  CHECK(decision->budget == gib(20) - mib(256));
  CHECK(decision->waited >= std::chrono::seconds(1));
  CHECK(decision->waited < std::chrono::seconds(60));
  CHECK_THAT(decision->reason, Contains("/proc/meminfo MemAvailable") && Contains("256 MiB"));
  CHECK(told.lines.empty());  // nobody was seen to give any back
  REQUIRE(decision->warnings.size() == 1);
  CHECK_THAT(decision->warnings[0],
             Contains("instead of 59.0 GiB") && Contains("process 41 (database) holds 40.0 GiB"));
}

TEST_CASE("a predecessor that is ending gets time although nothing moves; not for ever", "[memory][start]") {
  Machine machine;
  machine.available(gib(20));
  machine.process(41, "pinion", "State:\tD (disk sleep)\nThreads:\t3\n");  // its memory is in nobody's name any more
  const auto waited = [&](Duration at_most) {
    PassingTime time;
    Told told;
    const auto decision = settle_budget(memory_config(""), told.wait(at_most), time.clock, machine.path());
    REQUIRE(decision.ok());
    CHECK(decision->budget < gib(20));
    REQUIRE(told.lines.size() == 1);
    CHECK_THAT(told.lines[0], Contains("process 41 (pinion) is ending"));
    return decision->waited;
  };
  CHECK(waited(std::chrono::minutes(2)) >= std::chrono::seconds(10));
  CHECK(waited(std::chrono::seconds(3)) < std::chrono::seconds(9));
  machine.process(41, "pinion", "State:\tZ (zombie)\nThreads:\t1\n");  // it has none left
  PassingTime time;
  Told told;
  CHECK(settle_budget(memory_config(""), told.wait(std::chrono::minutes(2)), time.clock, machine.path())->waited <
        std::chrono::seconds(9));
}

TEST_CASE("who does not want to wait takes what is there; so does who is told to stop", "[memory][start]") {
  Machine machine;
  machine.available(gib(20));
  const SteadyClock clock;
  CHECK(settle_budget(memory_config(""), {}, clock, machine.path())->budget == gib(20) - mib(256));
  std::stop_source stop;
  stop.request_stop();
  StartWait wait;
  wait.at_most = std::chrono::minutes(2);
  wait.stop = stop.get_token();
  CHECK(settle_budget(memory_config(""), wait, clock, machine.path())->budget == gib(20) - mib(256));
}

TEST_CASE("a configured budget is no promise of the machine's: it is compared too", "[memory][start]") {
  Machine machine;
  machine.available(gib(20));
  const SteadyClock clock;
  CHECK(settle_budget(memory_config("budget = \"20GiB\""), {}, clock, machine.path())->budget == gib(20));
  const auto decision = settle_budget(memory_config("budget = \"30GiB\""), {}, clock, machine.path());
  CHECK(decision->budget == gib(20) - mib(256));
  CHECK_THAT(decision->warnings.at(0), Contains("instead of 30.0 GiB"));
}

TEST_CASE("what is left of a control group counts, its page cache as free", "[memory][start]") {
  Machine machine;
  machine.v2_mount().file("/proc/self/cgroup", "0::/pinion\n");
  machine.file("/sys/fs/cgroup/pinion/memory.max", "17179869184\n");
  machine.file("/sys/fs/cgroup/pinion/memory.current", "12884901888\n");
  machine.file("/sys/fs/cgroup/pinion/memory.stat",
               "anon 8589934592\nactive_file 2147483648\ninactive_file 2147483648\n");
  const SteadyClock clock;
  const auto decision = settle_budget(memory_config(""), {}, clock, machine.path());
  REQUIRE(decision.ok());
  CHECK(decision->budget == gib(8) - mib(256));  // 16 - (12 - 4)
  CHECK_THAT(decision->reason, Contains("/sys/fs/cgroup/pinion/memory.max minus what is used"));
  machine.file("/proc/self/cgroup", "5:memory:/pinion\n");
  machine.file("/proc/self/mountinfo", "31 1 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  machine.file("/sys/fs/cgroup/memory/pinion/memory.limit_in_bytes", "17179869184\n");
  machine.file("/sys/fs/cgroup/memory/pinion/memory.usage_in_bytes", "8589934592\n");
  machine.file("/sys/fs/cgroup/memory/pinion/memory.stat", "total_inactive_file 1073741824\n");
  CHECK(settle_budget(memory_config(""), {}, clock, machine.path())->budget == gib(9) - mib(256));
}

TEST_CASE("no memory at all, a kernel that does not say, and figures that break off", "[memory][start]") {
  Machine machine;
  const SteadyClock clock;
  machine.available(kib(900));
  machine.process(41, "database", "VmRSS:\t62914560 kB\n");
  const Status none = settle_budget(memory_config(""), {}, clock, machine.path()).status();
  CHECK(none.code() == Code::out_of_memory);
  CHECK_THAT(none.message(), Contains("900 KiB") && Contains("database"));
  machine.file("/proc/meminfo", "MemTotal: 67108864 kB\n");
  CHECK(settle_budget(memory_config(""), {}, clock, machine.path())->budget == gib(59));
  machine.available(gib(20));
  machine.process(42, "pinion", "State:\tD (disk sleep)\nThreads:\t3\n");
  StartWait wait;
  wait.at_most = std::chrono::minutes(2);
  wait.settle = Duration(0);
  wait.progress = [&](const std::string&) { machine.file("/proc/meminfo", "nothing\n"); };
  CHECK(settle_budget(memory_config(""), wait, clock, machine.path()).status().code() == Code::invalid_config);
}

TEST_CASE("this process and those beside it can be read", "[memory][start]") {
  const auto own = read_process_memory();
  REQUIRE(own.ok());
  CHECK(own->own() > kib(100));
  CHECK(own->peak >= own->own());
  CHECK_FALSE(own_name().empty());
  for (const ProcessFact& process : other_processes()) CHECK(process.pid != static_cast<std::uint32_t>(::getpid()));
  CHECK(read_process_memory("/nowhere").status().code() == Code::unsupported);
}
