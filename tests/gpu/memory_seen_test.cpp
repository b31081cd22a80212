// How the CUDA backend sees host memory, over a stand-in driver that knows what it was told of: the slabs of the
// allocators that ship, each as it really is, and memory of every other kind.
#include <cstdlib>
#include <pinion/host/plugins/backend.hpp>

#include "allocator_plugin.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

// The emulated backend, asking the stand-in driver.
class Backend {
 public:
  Backend() : hosts_(log_) {
    ::setenv("PINION_EMULATED_DRIVER", PINION_FAKE_DRIVER, 1);
    const Catalog catalog(search_places({PINION_EMULATED_PLUGINS}, {}));
    auto instance = open_instance(catalog, "backend-cuda-emulated", {}, hosts_);
    INFO(instance.status().text());
    REQUIRE(instance.ok());
    instance_ = *instance;
    auto backend = BackendPlugin::open(instance_);
    REQUIRE(backend.ok());
    backend_ = *backend;
  }
  ~Backend() { ::unsetenv("PINION_EMULATED_DRIVER"); }

  SeenAs sees(const void* at, std::uint64_t bytes, std::uint32_t device = 0) const {
    return backend_->memory_seen(device, at, Bytes(bytes));
  }
  std::uint64_t strikes() const { return instance_->strikes(); }

 private:
  MemoryLog log_;
  HostTables hosts_;
  std::shared_ptr<Instance> instance_;
  std::shared_ptr<BackendPlugin> backend_;
};

constexpr std::uint64_t mib1 = 1 << 20;

// Address space that nobody touches.
alignas(4096) char memory[64 << 10];

}  // namespace

TEST_CASE("slabs are seen as what they are, whatever their allocator states") {
  const FakeDriver driver;
  const Backend backend;
  for (const auto& [id, lines, seen] : {std::tuple{"alloc-heap", std::string(), SeenAs::pageable},
                                        std::tuple{"alloc-pinned", pinned_options("register"), SeenAs::pinned},
                                        std::tuple{"alloc-pinned", pinned_options("host-alloc"), SeenAs::pinned},
                                        std::tuple{"alloc-pinned", pinned_options("mlock"), SeenAs::pageable}}) {
    CAPTURE(id, lines);
    const OpenedAllocator allocator(id, lines);
    const auto slab = allocator->allocate(Bytes(mib1), for_device(0));
    REQUIRE(slab.ok());
    for (const std::uint32_t device : {0u, 1u}) CHECK(backend.sees(*slab, mib1, device) == seen);
    REQUIRE(allocator->release(*slab, Bytes(mib1)).ok());
  }
  CHECK(backend.strikes() == 0);
}

TEST_CASE("a range is one kind only where both its ends are, and of one registration") {
  const FakeDriver driver;
  const Backend backend;
  driver.declare(memory + 4096, 8192, fake_driver_host);
  driver.declare(memory + 12288, 4096, fake_driver_host);
  CHECK(backend.sees(memory + 4096, 8192) == SeenAs::pinned);
  CHECK(backend.sees(memory + 4100, 1) == SeenAs::pinned);
  CHECK(backend.sees(memory + 4096, 8193) == SeenAs::mixed);  // two pieces side by side
  CHECK(backend.sees(memory + 4095, 2) == SeenAs::mixed);
  CHECK(backend.sees(memory + 4096, 12289) == SeenAs::mixed);  // a byte of ordinary memory behind
  CHECK(backend.sees(memory, 4096) == SeenAs::pageable);
}

TEST_CASE("memory of a device, managed memory and what the driver has no word for") {
  const FakeDriver driver;
  const Backend backend;
  driver.declare(memory, 4096, fake_driver_device);
  driver.declare(memory + 4096, 4096, fake_driver_managed);
  driver.declare(memory + 8192, 4096, fake_driver_array);
  CHECK(backend.sees(memory, 4096) == SeenAs::device);
  CHECK(backend.sees(memory + 4096, 4096) == SeenAs::managed);
  CHECK(backend.sees(memory + 8192, 4096) == SeenAs::unknown);
  CHECK(backend.sees(memory, 8192) == SeenAs::mixed);
}

TEST_CASE("a driver that refuses, a device that is not there and no bytes at all: not known, and no harm") {
  const FakeDriver driver;
  const Backend backend;
  driver.declare(memory, 4096, fake_driver_host);
  driver.refuse("cuPointerGetAttribute", 0, 700);
  CHECK(backend.sees(memory, 4096) == SeenAs::unknown);
  driver.refuse("cuPointerGetAttribute", 3, 700);  // of the last byte
  CHECK(backend.sees(memory, 4096) == SeenAs::unknown);
  driver.refuse("cuPointerGetAttribute", 2, 801);  // where the piece begins: an older driver does not tell
  CHECK(backend.sees(memory, 4096) == SeenAs::pinned);
  CHECK(backend.sees(memory, 4096, 99) == SeenAs::unknown);
  CHECK(backend.sees(memory, 0) == SeenAs::unknown);
  ::setenv("PINION_EMULATED_DRIVER", "/nowhere/libcuda.so", 1);
  CHECK(backend.sees(memory, 4096) == SeenAs::unknown);
}
