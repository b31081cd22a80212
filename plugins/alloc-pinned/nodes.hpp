// NUMA nodes through hwloc: binding memory and threads to the node a device is attached to, and touching pages there in
// parallel. Where a container forbids binding, pages land where the kernel puts them; the caller is told and may say
// so.
#pragma once

#include <hwloc.h>

#include <functional>
#include <memory>

namespace pinned {

class Nodes {
 public:
  // `threads` for touching; 0: as many as a node has processing units, at most 16. INTERNAL: hwloc does not load.
  explicit Nodes(unsigned threads);

  // Makes every page of a fresh mapping exist, on `node` (-1: anywhere), with several threads that run there. False: it
  // was done, but they do not lie there. OUT_OF_MEMORY: there are not so many pages. [any]
  bool touch(void* data, std::size_t bytes, int node) const;

  // Whether pages that exist lie on `node`, by looking at some of them (-1: yes). Where the kernel does not tell where
  // pages lie, whether there is such a node. [any]
  bool lie_on(const void* data, std::size_t bytes, int node) const;

  // Runs f on a thread of its own that runs, and takes its pages, on `node`. What f throws is thrown here. [any]
  void on(int node, const std::function<void()>& f) const;

 private:
  struct Free {
    void operator()(hwloc_topology* topology) const noexcept { hwloc_topology_destroy(topology); }
  };
  // null for -1 and for a node that is not there
  hwloc_obj_t find(int node) const;
  unsigned threads_for(hwloc_obj_t node) const;

  std::unique_ptr<hwloc_topology, Free> topology_;
  const unsigned threads_;
};

}  // namespace pinned
