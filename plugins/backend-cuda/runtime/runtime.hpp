// What the backend needs of a device beside its kernels: finding devices, memory, streams, events, copies. Two
// implementations, chosen by who links: runtime_cuda.cpp over the CUDA runtime, and the tests' emulator. Owners free
// quietly: on a lost device there is nothing else to do. Not for kernels, and no policy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "status.hpp"

struct CUevent_st;

namespace pinion::cuda {

using Uuid = std::array<std::uint8_t, 16>;

struct FoundDevice {
  int ordinal = 0;  // the runtime's
  Uuid uuid{};
  std::string name;
  std::string pci_address;  // "0000:41:00.0"
  std::uint64_t total_bytes = 0;
  int major = 0, minor = 0;  // compute capability
  int numa_node = -1;
  std::string ineligible;  // "" or why it cannot be used
};

struct Found {
  std::vector<FoundDevice> devices;  // what CUDA_VISIBLE_DEVICES leaves
  std::string why_none;              // a sentence when there are none
  int driver_version = 0;            // 13000 is 13.0: the newest the driver runs; 0: no driver
  int runtime_version = 0;           // what this was built with
};
// Makes no context. [main]
Found find_devices();
std::string version_text(int version);  // "13.0"

// Every function below works on the device that is current for the calling thread.
Status make_current(int ordinal);
Status free_bytes(std::uint64_t& out);
// What the driver's codes mean to a caller.
enum class Trouble { none, out_of_memory, lost, ours };
Trouble trouble_of(const Status& status);

// What the driver knows of the memory at an address.
struct PointerFacts {
  enum class Kind { unknown, pageable, pinned, device, managed };
  Kind kind = Kind::unknown;
  std::uintptr_t piece = 0;  // where the allocation or registration that holds it begins; 0: the driver does not tell
};
// Leaves no pending error behind.
Status pointer_facts(PointerFacts& out, const void* at);

// Device or page-locked host memory. Movable.
class Memory {
 public:
  enum class Where { device, pinned };
  Memory() = default;
  ~Memory();
  Memory(Memory&& other) noexcept { swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    swap(other);
    return *this;
  }
  static Status make(Memory& out, Where where, std::size_t bytes);
  std::byte* get() const { return static_cast<std::byte*>(memory_); }

 private:
  void swap(Memory& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    std::swap(where_, other.where_);
  }
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  Where where_ = Where::device;
};

// Work in order, beside the work of other streams. The destructor does not wait.
class StreamOwner {
 public:
  StreamOwner() = default;
  ~StreamOwner();
  StreamOwner(StreamOwner&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  StreamOwner& operator=(StreamOwner&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  static Status make(StreamOwner& out);
  Stream get() const { return stream_; }

 private:
  Stream stream_ = nullptr;
};

// A place in a stream, with the time at which the device came there.
class Event {
 public:
  Event() = default;
  ~Event();
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  static Status make(Event& out);
  Status record(Stream stream);
  // Whether the device has passed it; an error of the device shows here.
  Status passed(bool& out) const;
  // Work given to `stream` from now on waits for it.
  Status hold(Stream stream) const;
  // Milliseconds from `from`; both passed.
  Status since(const Event& from, float& milliseconds) const;

 private:
  CUevent_st* event_ = nullptr;
};

// Between any two kinds of memory. From or to pageable host memory it returns when that has been read or written.
Status copy_async(void* to, const void* from, std::size_t bytes, Stream stream, const char* what);
// The same for `rows` stretches of `width` bytes, each `pitch` bytes after the one before, to places as far apart.
Status copy_rows_async(void* to, const void* from, std::size_t pitch, std::size_t width, std::size_t rows,
                       Stream stream, const char* what);
Status fill_async(void* at, int byte, std::size_t bytes, Stream stream, const char* what);
Status synchronize(Stream stream, const char* what);

// For drills: makes the device touch an address that is not there, and returns what it says. The device is lost to this
// process afterwards.
Status touch_illegal_address(Stream stream);

}  // namespace pinion::cuda
