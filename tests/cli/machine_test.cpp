#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <pinion/host/cli/doctor/machine.hpp>
#include <pinion/test/vectors.hpp>
#include <string>

using namespace pinion::host::cli;
using Level = Finding::Level;

namespace {

// A made-up /proc and /sys.
class Machine {
 public:
  void file(const std::string& name, const std::string& text) const {
    const auto path = root() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  void gpu(const std::string& address, const std::string& speed, const std::string& width) const {
    const auto device = "sys/bus/pci/devices/" + address + "/";
    file(device + "vendor", "0x10de");
    file(device + "class", "0x030200");
    file(device + "current_link_speed", speed);
    file(device + "max_link_speed", "32.0 GT/s PCIe");
    file(device + "current_link_width", width);
    file(device + "max_link_width", "16");
  }
  const std::filesystem::path& root() const { return folder_.path(); }

 private:
  pinion::test::TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("a processor without the extensions of field arithmetic is a warning") {
  const Machine machine;
  machine.file("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast One\nflags\t\t: fpu avx2 bmi2 adx sha_ni");
  CHECK(examine_processor(machine.root()).level == Level::pass);
  CHECK(examine_processor(machine.root()).found == "Fast One; avx2 bmi2 adx sha_ni");
  machine.file("proc/cpuinfo", "model name\t: Old One\nflags\t\t: fpu avx2");
  const auto old = examine_processor(machine.root());
  CHECK(old.level == Level::warn);
  CHECK(old.found == "Old One; avx2; without bmi2 adx");
  CHECK_FALSE(old.fix.empty());
}

TEST_CASE("huge pages: never is a warning with its fix") {
  const Machine machine;
  CHECK(examine_huge_pages(machine.root()).level == Level::warn);
  machine.file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  CHECK(examine_huge_pages(machine.root()).level == Level::pass);
  machine.file("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
  CHECK(examine_huge_pages(machine.root()).fix.find("madvise") != std::string::npos);
}

TEST_CASE("locked memory: a limit is a warning, unless the process may exceed it") {
  const Machine machine;
  CHECK(examine_locked_memory(RLIM_INFINITY, machine.root()).level == Level::pass);
  machine.file("proc/self/status", "CapEff:\t0000000000000000\n");
  const auto limited = examine_locked_memory(8ULL << 20, machine.root());
  CHECK(limited.level == Level::warn);
  CHECK(limited.found == "limit 8.00 MiB");
  machine.file("proc/self/status", "CapEff:\t0000000000004000\n");
  const auto exempt = examine_locked_memory(8ULL << 20, machine.root());
  CHECK(exempt.level == Level::pass);
  CHECK(exempt.found == "limit 8.00 MiB, which does not hold for this process: it has CAP_IPC_LOCK");
}

TEST_CASE("NUMA nodes are counted") {
  const Machine machine;
  CHECK(examine_numa(machine.root()).found == "one node");
  machine.file("sys/devices/system/node/node0/cpulist", "0");
  machine.file("sys/devices/system/node/node1/cpulist", "1");
  machine.file("sys/devices/system/node/possible", "0-1");
  CHECK(examine_numa(machine.root()).found.starts_with("2 nodes"));
}

TEST_CASE("GPUs: none, without a driver, with a narrow or slow link, good") {
  const Machine machine;
  CHECK(examine_gpus(machine.root()).at(0).level == Level::warn);
  machine.gpu("0000:01:00.0", "32.0 GT/s PCIe", "16");
  CHECK(examine_gpus(machine.root()).at(0).level == Level::fail);
  machine.file("sys/module/nvidia/version", "570.1");
  machine.gpu("0000:02:00.0", "32.0 GT/s PCIe", "8");
  machine.gpu("0000:03:00.0", "2.5 GT/s PCIe", "16");
  machine.file("sys/bus/pci/devices/0000:00:00.0/vendor", "0x8086");
  const auto found = examine_gpus(machine.root());
  REQUIRE(found.size() == 3);
  CHECK(found[0].level == Level::pass);
  CHECK(found[0].what == "gpu 0000:01:00.0");
  CHECK(found[1].level == Level::warn);
  CHECK(found[1].found == "driver 570.1, link 32.0 GT/s PCIe x8, of x16");
  CHECK(found[2].found == "driver 570.1, link 2.5 GT/s PCIe x16, of 32.0 GT/s PCIe");
}
