#include "nodes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <pinion/plugin/error.hpp>
#include <string>
#include <thread>
#include <vector>

namespace pinned {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t piece = std::size_t{64} << 20;  // what one thread takes at a time: many huge pages

// Populating in the kernel reports what is missing, where a write would be killed; kernels before 5.14 do not know it.
// Returns an errno, or 0.
int populate(std::uint8_t* data, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  for (;;) {
    if (::madvise(data, bytes, MADV_POPULATE_WRITE) == 0) return 0;
    if (errno == EINVAL) break;
    if (errno != EINTR && errno != EAGAIN) return errno;
  }
#endif
  for (std::size_t at = 0; at < bytes; at += page) static_cast<volatile std::uint8_t*>(data)[at] = 0;
  return 0;
}

}  // namespace

Nodes::Nodes(unsigned threads) : threads_(threads) {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw pinion::Error(PINION_INTERNAL, "hwloc does not start");
  topology_.reset(topology);
  if (hwloc_topology_load(topology) != 0)
    throw pinion::Error(PINION_INTERNAL, "hwloc cannot read this machine's topology");
}

hwloc_obj_t Nodes::find(int node) const {
  return node < 0 ? nullptr : hwloc_get_numanode_obj_by_os_index(topology_.get(), static_cast<unsigned>(node));
}

unsigned Nodes::threads_for(hwloc_obj_t node) const {
  if (threads_ != 0) return threads_;
  const int units =
      node != nullptr ? hwloc_bitmap_weight(node->cpuset) : hwloc_get_nbobjs_by_type(topology_.get(), HWLOC_OBJ_PU);
  return static_cast<unsigned>(std::clamp(units, 1, 16));
}

bool Nodes::touch(void* data, std::size_t bytes, int node) const {
  const hwloc_obj_t place = find(node);
  bool placed = node < 0 || place != nullptr;
  // Not strict: with the node full, pages from another are better than the kernel's killer.
  if (place != nullptr)
    placed = hwloc_set_area_membind(topology_.get(), data, bytes, place->nodeset, HWLOC_MEMBIND_BIND,
                                    HWLOC_MEMBIND_BYNODESET) == 0;
  const std::size_t pieces = (bytes + piece - 1) / piece;
  std::atomic<std::size_t> next{0};
  std::atomic<int> failure{0};
  const auto work = [&] {
    if (place != nullptr) hwloc_set_cpubind(topology_.get(), place->cpuset, HWLOC_CPUBIND_THREAD);
    for (std::size_t i = next++; i < pieces && failure == 0; i = next++) {
      const std::size_t from = i * piece;
      const int error = populate(static_cast<std::uint8_t*>(data) + from, std::min(piece, bytes - from));
      if (error != 0) failure = error;
    }
  };
  {
    std::vector<std::jthread> crew;
    const auto wanted = std::min<std::size_t>(threads_for(place), pieces);
    for (std::size_t i = 0; i < wanted; ++i) crew.emplace_back(work);
  }
  if (failure != 0)
    throw pinion::Error(PINION_OUT_OF_MEMORY,
                        "first touch of " + std::to_string(bytes) + " bytes of host memory" +
                            (node < 0 ? std::string() : " on NUMA node " + std::to_string(node)) + ": " +
                            std::strerror(failure) + "; lower [memory] budget",
                        failure);
  return placed && lie_on(data, bytes, node);
}

bool Nodes::lie_on(const void* data, std::size_t bytes, int node) const {
  if (node < 0) return true;
  const hwloc_obj_t place = find(node);
  if (place == nullptr) return false;
  constexpr std::size_t looks = 64;
  const std::size_t pages = (bytes + page - 1) / page, step = std::max<std::size_t>(1, pages / looks);
  const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> found(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  for (std::size_t at = 0; found && at < pages; at += step) {
    const auto* const one = static_cast<const std::uint8_t*>(data) + at * page;
    if (hwloc_get_area_memlocation(topology_.get(), one, 1, found.get(), HWLOC_MEMBIND_BYNODESET) != 0) return true;
    if (hwloc_bitmap_iszero(found.get()) == 0 && hwloc_bitmap_isincluded(found.get(), place->nodeset) == 0)
      return false;
  }
  return true;
}

void Nodes::on(int node, const std::function<void()>& f) const {
  std::exception_ptr thrown;
  std::thread([&] {
    if (const hwloc_obj_t place = find(node); place != nullptr) {
      hwloc_set_cpubind(topology_.get(), place->cpuset, HWLOC_CPUBIND_THREAD);
      hwloc_set_membind(topology_.get(), place->nodeset, HWLOC_MEMBIND_BIND,
                        HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET);
    }
    try {
      f();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace pinned
