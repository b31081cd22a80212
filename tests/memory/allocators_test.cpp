// What the host expects of every allocator, of each that ships and in each of its ways.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "allocator_plugin.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

#ifdef __SANITIZE_ADDRESS__
// The stand-in driver's memory comes from the heap, and the sanitizer keeps what is freed there for a while: by default
// up to 256 MiB, which would count as not released.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=8";
}
#endif

namespace {

struct Way {
  std::string name, id, lines;
  SlabKind kind;
};

const std::vector<Way> kWays = {
    {"heap", "alloc-heap", "", SlabKind::pageable},
    {"heap without huge pages", "alloc-heap", "huge_pages = false", SlabKind::pageable},
    {"register", "alloc-pinned", pinned_options("register"), SlabKind::pinned},
    {"register, small pages", "alloc-pinned", pinned_options("register", "huge_pages = \"off\"\n"), SlabKind::pinned},
    {"host-alloc", "alloc-pinned", pinned_options("host-alloc"), SlabKind::pinned},
    {"mlock", "alloc-pinned", pinned_options("mlock"), SlabKind::pinned},
};

template <class F>
void each_way(F&& f) {
  for (const Way& way : kWays) {
    INFO(way.name);
    FakeDriver driver;
    const OpenedAllocator allocator(way.id, way.lines);
    f(way, *allocator);
  }
}

// Of this process, from /proc/self/status, in bytes.
std::uint64_t process_bytes(const std::string& name) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t value = 0;
    if (words >> key >> value && key == name + ":") return value * 1024;
  }
  return 0;
}

}  // namespace

TEST_CASE("an allocator describes itself and passes the self-test", "[memory][allocator]") {
  each_way([](const Way& way, AllocatorPlugin& allocator) {
    CHECK(allocator.describe().kind == way.kind);
    CHECK(allocator.describe().name == way.id);
    CHECK(allocator.self_test().ok());
    CHECK(allocator.describe().granularity == allocator.describe().granularity);
  });
}

TEST_CASE("slabs are zero or garbage, but writable to the last byte and apart from each other", "[memory][allocator]") {
  each_way([](const Way&, AllocatorPlugin& allocator) {
    const Bytes step = allocator.describe().granularity;
    std::vector<std::pair<unsigned char*, Bytes>> slabs;
    for (const std::uint64_t pages : {1, 3, 512, 513, 1200}) {
      const Bytes bytes = step * pages;
      const auto slab = allocator.allocate(bytes, {});
      REQUIRE(slab.ok());
      slabs.emplace_back(static_cast<unsigned char*>(*slab), bytes);
      std::memset(*slab, static_cast<int>(slabs.size()), bytes.count());
    }
    for (std::size_t i = 0; i < slabs.size(); ++i) {
      const auto [data, bytes] = slabs[i];
      CHECK(std::all_of(data, data + bytes.count(), [i](unsigned char c) { return c == i + 1; }));
      CHECK(reinterpret_cast<std::uintptr_t>(data) % 4096 == 0);
    }
    for (const auto& [data, bytes] : slabs) CHECK(allocator.release(data, bytes).ok());
  });
}

TEST_CASE("what is released is back with the OS", "[memory][allocator]") {
  each_way([](const Way&, AllocatorPlugin& allocator) {
    const Bytes bytes = mib(64);
    const std::uint64_t before = process_bytes("RssAnon");
    for (int round = 0; round < 5; ++round) {
      const auto slab = allocator.allocate(bytes, {});
      REQUIRE(slab.ok());
      std::memset(*slab, 1, bytes.count());
      CHECK(process_bytes("RssAnon") >= before + bytes.count() / 2);
      CHECK(allocator.release(*slab, bytes).ok());
    }
    CHECK(process_bytes("RssAnon") < before + bytes.count() / 2);
  });
}

TEST_CASE("slabs are made and released by many threads at once", "[memory][allocator]") {
  each_way([](const Way&, AllocatorPlugin& allocator) {
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint64_t i = 0; i < 60; ++i) {  // of few sizes: a thread is given what another has just given back
          const Bytes bytes = allocator.describe().granularity * (1 + i % 3);
          const auto slab = allocator.allocate(bytes, {});
          if (!slab.ok()) {
            ++wrong;
            continue;
          }
          auto* const data = static_cast<unsigned char*>(*slab);
          std::memset(data, t, bytes.count());
          std::this_thread::yield();
          if (data[0] != t || data[bytes.count() - 1] != t) ++wrong;
          if (!allocator.release(*slab, bytes).ok()) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  });
}

TEST_CASE("a size that no machine has is refused in words, and nothing is kept", "[memory][allocator]") {
  each_way([](const Way& way, AllocatorPlugin& allocator) {
    if (way.name == "host-alloc") return;  // what is too large is the driver's to say
    const auto slab = allocator.allocate(gib(1) * 200'000, {});
    CHECK(slab.status().code() == Code::out_of_memory);
    CHECK_THAT(slab.status().message(), Catch::Contains("bytes of") && Catch::Contains("[memory] budget"));
    CHECK(allocator.self_test().ok());
  });
}
