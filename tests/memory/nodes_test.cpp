// Where the pages of slabs lie: on the node they are for, or it is said. Works on a machine with one node: what a
// second one would be is told to hwloc, and the kernel has none.
#include "nodes.hpp"

#include <hwloc.h>
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <pinion/plugin/error.hpp>
#include <pinion/test/vectors.hpp>

#include "devices.hpp"

using pinned::Nodes;

namespace {

constexpr std::size_t kBytes = std::size_t{4} << 20;

class Pages {
 public:
  Pages() : data_(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    REQUIRE(data_ != MAP_FAILED);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::munmap(data_, kBytes); }
  void* data() const { return data_; }

 private:
  void* data_;
};

// The machine as it is.
class Topology {
 public:
  Topology() {
    REQUIRE(hwloc_topology_init(&topology_) == 0);
    REQUIRE(hwloc_topology_load(topology_) == 0);
  }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  ~Topology() { hwloc_topology_destroy(topology_); }

  int first_node() const { return static_cast<int>(hwloc_get_obj_by_type(topology_, HWLOC_OBJ_NUMANODE, 0)->os_index); }
  int no_node() const { return hwloc_bitmap_last(hwloc_topology_get_topology_nodeset(topology_)) + 1; }
  // Of the memory at `data`: the nodes it is bound to by its policy; empty when this machine does not say.
  std::vector<int> bound_to(const void* data, hwloc_membind_policy_t& policy) const {
    std::vector<int> out;
    hwloc_bitmap_t nodes = hwloc_bitmap_alloc();
    if (hwloc_get_area_membind(topology_, data, kBytes, nodes, &policy, HWLOC_MEMBIND_BYNODESET) == 0)
      for (int node = hwloc_bitmap_first(nodes); node >= 0; node = hwloc_bitmap_next(nodes, node)) out.push_back(node);
    hwloc_bitmap_free(nodes);
    return out;
  }

 private:
  hwloc_topology_t topology_ = nullptr;
};

}  // namespace

TEST_CASE("touched pages are bound to the node they are for, and lie there", "[memory][nodes]") {
  const Topology machine;
  const Nodes nodes(2);
  const Pages pages;
  if (!nodes.touch(pages.data(), kBytes, machine.first_node())) {
    WARN("skipped: this machine does not let memory be bound");
    return;
  }
  hwloc_membind_policy_t policy{};
  CHECK(machine.bound_to(pages.data(), policy) == std::vector{machine.first_node()});
  CHECK(policy == HWLOC_MEMBIND_BIND);
  CHECK(nodes.lie_on(pages.data(), kBytes, machine.first_node()));
  CHECK(nodes.lie_on(pages.data(), kBytes, -1));
}

TEST_CASE("a node that is not there is refused, and the pages exist all the same", "[memory][nodes]") {
  const Topology machine;
  const Nodes nodes(2);
  const Pages pages;
  CHECK_FALSE(nodes.touch(pages.data(), kBytes, machine.no_node()));
  CHECK_FALSE(nodes.lie_on(pages.data(), kBytes, machine.no_node()));
  std::vector<unsigned char> there(kBytes / 4096);
  REQUIRE(::mincore(pages.data(), kBytes, there.data()) == 0);
  for (const unsigned char page : there) REQUIRE((page & 1u) != 0);
  CHECK(nodes.touch(pages.data(), kBytes, -1));
}

TEST_CASE("pages that lie on another node than they are for are found out", "[memory][nodes]") {
  const Topology machine;
  if (machine.first_node() != 0 || machine.no_node() != 1) {
    WARN("skipped: needs a machine whose only node is 0");
    return;
  }
  const Pages pages;
  {
    const Nodes nodes(2);
    if (!nodes.touch(pages.data(), kBytes, 0)) return;
  }
  ::setenv("HWLOC_SYNTHETIC", "numa:2 pu:1", 1);
  ::setenv("HWLOC_THISSYSTEM", "1", 1);
  const Nodes two(2);
  ::unsetenv("HWLOC_SYNTHETIC");
  ::unsetenv("HWLOC_THISSYSTEM");
  CHECK(two.lie_on(pages.data(), kBytes, 0));
  CHECK_FALSE(two.lie_on(pages.data(), kBytes, 1));
  const Pages more;
  CHECK_FALSE(two.touch(more.data(), kBytes, 1));  // the kernel has no such node, whatever hwloc was told
}

TEST_CASE("the node of a device is looked up by its PCI address", "[memory][nodes]") {
  const pinion::test::TemporaryDirectory root;
  const auto device = [&](const std::string& address, const std::string& node) {
    const auto folder = root.path() / "sys/bus/pci/devices" / address;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "numa_node") << node;
  };
  device("0000:41:00.0", "1\n");
  device("0000:c1:00.0", "3\n");
  device("0000:0a:00.0", "-1\n");
  device("0000:0b:00.0", "what\n");
  const auto node = [&](const std::string& address) { return pinned::node_of(address, root.path().string()); };
  CHECK(node("0000:41:00.0") == 1);
  CHECK(node("0000:C1:00.0") == 3);      // as the driver writes it
  CHECK(node("00000000:C1:00.0") == 3);  // and as the management library does
  CHECK(node("0000:0A:00.0") == -1);
  CHECK(node("0000:0B:00.0") == -1);
  CHECK(node("0000:42:00.0") == -1);
  CHECK(node("") == -1);
}
