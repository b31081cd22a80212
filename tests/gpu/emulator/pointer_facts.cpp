// pointer_facts of runtime.hpp by the stand-in driver that PINION_EMULATED_DRIVER names (tests/memory/fake_driver.h):
// what alloc-pinned locks with it, these devices see as page-locked. Without one all memory is ordinary.
#include <dlfcn.h>

#include <cstdlib>

#include "runtime.hpp"

namespace pinion::cuda {
namespace {

// As cuda.h numbers them.
constexpr int attribute_memory_type = 2, attribute_is_managed = 8, attribute_range_start = 11;
constexpr int success = 0, invalid_value = 1;
constexpr unsigned type_host = 1, type_device = 2;

using Ask = int (*)(void* data, int attribute, std::uintptr_t at);

Status described(Ask ask, PointerFacts& out, std::uintptr_t at) {
  unsigned type = 0, managed = 0;
  const int code = ask(&type, attribute_memory_type, at);
  if (code == invalid_value) return {};  // as the driver answers for memory it was never told of
  if (code != success) return {code, "asking what kind of memory it is (emulated)"};
  out.kind = type == type_host     ? PointerFacts::Kind::pinned
             : type == type_device ? PointerFacts::Kind::device
                                   : PointerFacts::Kind::unknown;
  if (ask(&managed, attribute_is_managed, at) == success && managed != 0) out.kind = PointerFacts::Kind::managed;
  if (ask(&out.piece, attribute_range_start, at) != success) out.piece = 0;
  return {};
}

}  // namespace

Status pointer_facts(PointerFacts& out, const void* at) {
  out = {PointerFacts::Kind::pageable, 0};
  const char* const name = std::getenv("PINION_EMULATED_DRIVER");
  if (name == nullptr) return {};
  void* const driver = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const auto ask = driver == nullptr ? nullptr : reinterpret_cast<Ask>(dlsym(driver, "cuPointerGetAttribute"));
  const Status status = ask == nullptr ? Status(Status::bad_argument, std::string(name) + ": no stand-in driver")
                                       : described(ask, out, reinterpret_cast<std::uintptr_t>(at));
  if (driver != nullptr) dlclose(driver);
  return status;
}

}  // namespace pinion::cuda
