// Machines made of files: control groups of both versions, nested, hidden by containers, without limits, missing.
#include <catch2/catch.hpp>
#include <pinion/host/config/machine.hpp>
#include <pinion/test/fake_root.hpp>

#include "sources.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

class Machine : public pinion::test::FakeRoot {
 public:
  MachineMemory memory() const { return read_machine_memory(path()).value(); }
  Status memory_status() const { return read_machine_memory(path()).status(); }
  MachineThreads threads() const { return read_machine_threads(path()).value(); }
  Status threads_status() const { return read_machine_threads(path()).status(); }
};

Config config_of(const std::string& text) {
  const LoadedConfig loaded = load_config(toml(text));
  REQUIRE(loaded.ok());
  return loaded.config;
}

}  // namespace

TEST_CASE("without control groups the machine's memory counts", "[config][machine]") {
  const Machine root;
  const MachineMemory memory = root.memory();
  CHECK(memory.total.bytes == gib(64));
  CHECK(memory.available.bytes == gib(32));
  CHECK_FALSE(memory.cgroup.has_value());
  CHECK(memory.limit().source == "/proc/meminfo MemTotal");
}

TEST_CASE("version 2: the tightest group on the path to the root counts", "[config][machine]") {
  Machine root;
  root.v2_mount().file("/proc/self/cgroup", "0::/system.slice/pinion.service\n");
  root.file("/sys/fs/cgroup/system.slice/pinion.service/memory.max", "max\n");
  CHECK_FALSE(root.memory().cgroup.has_value());
  root.file("/sys/fs/cgroup/system.slice/memory.max", "8589934592\n");  // an ancestor is tighter
  CHECK(root.memory().limit().bytes == gib(8));
  CHECK(root.memory().limit().source == "/sys/fs/cgroup/system.slice/memory.max");
  root.file("/sys/fs/cgroup/system.slice/pinion.service/memory.max", "2147483648\n");
  CHECK(root.memory().limit().source == "/sys/fs/cgroup/system.slice/pinion.service/memory.max");
  root.file("/sys/fs/cgroup/system.slice/pinion.service/memory.max", "109951162777600\n");
  CHECK(root.memory().limit().bytes == gib(8));
}

TEST_CASE("version 2 in a container: a hidden path, and one outside of what is mounted", "[config][machine]") {
  Machine root;
  root.v2_mount("/docker/abc").file("/proc/self/cgroup", "0::/docker/abc/inner\n");
  root.file("/sys/fs/cgroup/inner/memory.max", "1073741824\n").file("/sys/fs/cgroup/memory.max", "2147483648\n");
  CHECK(root.memory().limit().source == "/sys/fs/cgroup/inner/memory.max");
  root.v2_mount("/").file("/proc/self/cgroup", "0::/../other\n");
  CHECK(root.memory().limit().source == "/sys/fs/cgroup/memory.max");
  root.file("/proc/self/cgroup", "0::/\n");
  CHECK(root.memory().limit().bytes == gib(2));
}

TEST_CASE("version 1: its own file, and its own way to say no limit", "[config][machine]") {
  Machine root;
  root.file("/proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory:/docker/abc\n1:name=systemd:/x\n");
  root.file("/proc/self/mountinfo",
            "31 1 0:27 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
            "32 1 0:28 / /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n");
  root.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK_FALSE(root.memory().cgroup.has_value());
  root.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
  CHECK(root.memory().limit().bytes == gib(4));
  CHECK(root.memory().limit().source == "/sys/fs/cgroup/memory/memory.limit_in_bytes");
}

TEST_CASE("both versions at once: the tighter one", "[config][machine]") {
  Machine root;
  root.file("/proc/self/cgroup", "5:memory:/a\n0::/b\n");
  root.file("/proc/self/mountinfo",
            "31 1 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
            "32 1 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  root.file("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4294967296\n");
  root.file("/sys/fs/cgroup/unified/b/memory.max", "3221225472\n");
  CHECK(root.memory().limit().bytes == gib(3));
}

TEST_CASE("a limit above the machine's memory does not count", "[config][machine]") {
  Machine root;
  root.file("/proc/self/cgroup", "0::/a\n").file("/sys/fs/cgroup/a/memory.max", "109951162777600\n");
  CHECK(root.memory().limit().bytes == gib(64));
}

TEST_CASE("files that are not what Linux documents are named", "[config][machine]") {
  Machine root;
  root.file("/proc/self/cgroup", "0::/a\n").file("/sys/fs/cgroup/a/memory.max", "many\n");
  CHECK_THAT(root.memory_status().message(), Catch::Contains("/sys/fs/cgroup/a/memory.max"));
  root.file("/proc/meminfo", "MemTotal: lots kB\n");
  CHECK_THAT(root.memory_status().message(), Catch::Contains("/proc/meminfo"));
  root.file("/sys/fs/cgroup/a/cpu.max", "1 0\n");
  CHECK_THAT(root.threads_status().message(), Catch::Contains("cpu.max"));
  root.file("/sys/fs/cgroup/a/cpu.max", "max\n")
      .file("/proc/self/status", "")
      .file("/sys/devices/system/cpu/online", "x");
  CHECK_THAT(root.threads_status().message(), Catch::Contains("/sys/devices/system/cpu/online"));
}

TEST_CASE("threads: the least of hardware, affinity and quota, rounded up", "[config][machine]") {
  Machine root;
  CHECK(root.threads().hardware == 16);
  CHECK(root.threads().affinity == 9);
  CHECK(root.threads().count() == 9);
  root.file("/proc/self/cgroup", "0::/a/b\n").file("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  CHECK(root.threads().count() == 9);
  root.file("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  CHECK(root.threads().count() == 2);
  CHECK(root.threads().quota_source == "/sys/fs/cgroup/a/cpu.max");
  root.file("/proc/self/cgroup", "3:cpu,cpuacct:/c\n");
  root.file("/proc/self/mountinfo", "32 1 0:28 / /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n");
  root.file("/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "300000\n");
  root.file("/sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
  root.file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  CHECK(root.threads().count() == 3);
}

TEST_CASE("rule 2: the budget is the tightest of config, control group and machine", "[config][machine]") {
  Machine root;
  const auto decide = [&](const std::string& text) {
    return decide_budget(config_of("[memory]\n" + text).memory, root.memory());
  };
  CHECK(decide("")->budget == gib(59));
  CHECK_THAT(decide("")->reason, Catch::Contains("/proc/meminfo MemTotal") && Catch::Contains("5.00 GiB"));
  CHECK(decide("budget = \"10GiB\"")->budget == gib(10));
  CHECK_THAT(decide("budget = \"10GiB\"")->reason, Catch::Contains("p.toml:2"));
  CHECK(decide("budget = \"10GiB\"")->warnings.empty());
  const BudgetDecision shrunk = *decide("budget = \"100GiB\"");
  CHECK(shrunk.budget == gib(59));
  REQUIRE(shrunk.warnings.size() == 1);
  CHECK_THAT(shrunk.warnings[0], Catch::Contains("100GiB") && Catch::Contains("59.0 GiB"));
  root.file("/proc/self/cgroup", "0::/a\n").file("/sys/fs/cgroup/a/memory.max", "21474836480\n");
  CHECK(decide("")->budget == gib(15));
  CHECK_THAT(decide("")->reason, Catch::Contains("/sys/fs/cgroup/a/memory.max"));
  CHECK(decide("safety_margin = \"1GiB\"")->budget == gib(19));
  CHECK(decide("safety_margin = \"0\"")->budget == gib(20));
}

TEST_CASE("a small machine keeps half free unless told otherwise", "[config][machine]") {
  Machine root;
  root.file("/proc/self/cgroup", "0::/a\n").file("/sys/fs/cgroup/a/memory.max", "2147483648\n");
  const BudgetDecision decision = *decide_budget(config_of("").memory, root.memory());
  CHECK(decision.budget == gib(1));
  CHECK(decision.margin == gib(1));
  CHECK(decision.warnings.size() == 1);
  const Status refused = decide_budget(config_of("[memory]\nsafety_margin = \"5GiB\"").memory, root.memory()).status();
  CHECK(refused.code() == Code::invalid_config);
  CHECK_THAT(refused.message(), Catch::Contains("p.toml:2") && Catch::Contains("memory.max"));
}

TEST_CASE("this very machine can be read", "[config][machine]") {
  CHECK(read_machine_memory()->total.bytes > mib(100));
  CHECK(read_machine_threads()->count() >= 1);
}

TEST_CASE("a machine without /proc or /sys is no defect of the program: what to do is said", "[config][machine]") {
  const Status memory = read_machine_memory("/nowhere").status();
  CHECK(memory.code() == Code::invalid_config);
  CHECK_THAT(memory.message(), Catch::StartsWith("/proc/meminfo cannot be read") && Catch::Contains("mount /proc"));
  const Status threads = read_machine_threads("/nowhere").status();
  CHECK(threads.code() == Code::invalid_config);
  CHECK_THAT(threads.message(),
             Catch::StartsWith("/sys/devices/system/cpu/online cannot be read") && Catch::Contains("mount /sys"));
}

TEST_CASE("more threads than can run at once are told, with who set them and what limits them", "[config][machine]") {
  MachineThreads machine;
  machine.hardware = 16;
  machine.affinity = 4;
  const auto excess = [&](const char* text) { return thread_excess(config_of(text).pipeline, machine); };
  CHECK_FALSE(excess(""));
  CHECK_FALSE(excess("[pipeline]\nthreads = 4"));
  CHECK(excess("[pipeline]\nthreads = 5") ==
        "pipeline.threads = 5 (p.toml:2), but 4 can run at once (16 processors, 4 allowed to this process): they take "
        "turns");
  machine.quota = 2;
  machine.quota_source = "/sys/fs/cgroup/a/cpu.max";
  CHECK(excess("[pipeline]\nthreads = 4")
            .value_or("")
            .ends_with("but 2 can run at once (16 processors, 4 allowed to this process, quota of 2 from "
                       "/sys/fs/cgroup/a/cpu.max): they "
                       "take turns"));
}
