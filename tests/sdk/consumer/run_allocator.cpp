// Loads an allocator plugin as a host would and takes a slab from it. Exit code 0: all as promised.
#include <dlfcn.h>
#include <pinion/pinion.h>

#include <cstdio>
#include <cstring>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/testing/fake_host.hpp>

namespace {
void require(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}
}  // namespace

int main(int argc, char** argv) {
  require(argc == 2, "one argument: the library");
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  require(library != nullptr, dlerror());
  const auto* entry = static_cast<const pinion_plugin_entry*>(dlsym(library, "pinion_plugin"));
  require(entry != nullptr && entry->magic == PINION_MAGIC, "entry");
  require(std::strstr(argv[1], entry->info->id) != nullptr, "id and version come from pinion_add_plugin");

  pinion::testing::FakeHost host;
  pinion_error err{sizeof err, 0, {}};
  void* self = nullptr;
  require(entry->create(host.table(), nullptr, 0, &self, &err) == PINION_OK, err.message);
  require(host.lines().size() == 1, "one log line");
  require(entry->query(self, "pinion.allocator/12") == nullptr, "an unknown id gives null");
  const auto* table = static_cast<const pinion_allocator*>(entry->query(self, PINION_ALLOCATOR));
  require(table != nullptr, "allocator table");

  const pinion_placement anywhere{sizeof(pinion_placement), -1, 0, 0, {}};
  void* slab = nullptr;
  require(table->allocate(self, 8192, &anywhere, &slab, &err) == PINION_OK && slab != nullptr, err.message);
  std::memset(slab, 0x5a, 8192);
  table->release(self, slab, 8192);
  entry->destroy(self);

  // The mathematics of the SDK links too.
  using pinion::bls::Fr;
  require((Fr::from_u64(6) * Fr::from_u64(7)) == Fr::from_u64(42), "6 * 7");
  return 0;
}
