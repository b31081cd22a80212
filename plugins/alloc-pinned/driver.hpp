// The dozen functions of the CUDA driver that page-locking needs, found with dlopen: the plugin builds and loads where
// there is no CUDA, and works with every toolkit, since the driver's names are stable. The runtime library is not used:
// its current device and pending error belong to the calling thread, and setting the device back would make a context
// on it. The driver's interface keeps neither.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace pinned {

using Uuid = std::array<std::uint8_t, 16>;

class Driver {
 public:
  // Opens and initialises it. Throws INVALID_CONFIG with what is missing and what to do. `library` is a file name for
  // dlopen.
  explicit Driver(const std::string& library);
  // The library stays loaded: it owns threads.
  ~Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
  std::string error_text(int code) const;
  // Throws INTERNAL, naming `what`, unless `code` is success.
  void require(int code, const std::string& what) const;

  // As in cuda.h; the names there are given beside each. Results are CUresult: 0 is success.
  int (*init)(unsigned flags) = nullptr;
  int (*version)(int* version) = nullptr;
  int (*device_count)(int* count) = nullptr;
  int (*device)(int* device, int ordinal) = nullptr;
  int (*device_name)(char* name, int length, int device) = nullptr;
  int (*device_uuid)(Uuid* uuid, int device) = nullptr;
  int (*device_pci)(char* address, int length, int device) = nullptr;
  int (*context_state)(int device, unsigned* flags, int* active) = nullptr;
  int (*context_retain)(void** context, int device) = nullptr;
  int (*context_release)(int device) = nullptr;
  int (*context_push)(void* context) = nullptr;
  int (*context_pop)(void** context) = nullptr;
  int (*host_register)(void* data, std::size_t bytes, unsigned flags) = nullptr;
  int (*host_unregister)(void* data) = nullptr;
  int (*host_alloc)(void** data, std::size_t bytes, unsigned flags) = nullptr;
  int (*host_free)(void* data) = nullptr;

 private:
  int (*error_name_)(int code, const char** text) = nullptr;
  int (*error_string_)(int code, const char** text) = nullptr;
};

inline constexpr int cuda_success = 0;
// Codes after which a context answers nothing else: a fault of the device's work or of its memory (cuda.h, CUresult).
bool kills_context(int code);
// Page-locked for every context of the process, not only for the one it was made in.
inline constexpr unsigned portable = 1;

}  // namespace pinned
