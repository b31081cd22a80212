// runtime.hpp where the emulator is the device: two devices of 4 GiB, whose memory exists when it is touched, and
// streams in which everything has happened when the call returns. PINION_EMULATED_DEVICES=0 has none.
#include "runtime.hpp"

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>

struct CUstream_st {};
struct CUevent_st {
  std::chrono::steady_clock::time_point at;
};

namespace pinion::cuda {
namespace {

constexpr int out_of_memory = 2, illegal_address = 700;  // as cudaError_t has them
constexpr std::uint64_t device_bytes = std::uint64_t{4} << 30;

// As CUDA does, every device answers for an illegal address on any of them, until the process ends.
std::atomic<bool> dead{false};

Status alive(const char* what) {
  if (!dead) return {};
  return {illegal_address, std::string(what) + ": an illegal memory access was encountered (emulated)"};
}

}  // namespace

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Found find_devices() {
  Found found;
  found.driver_version = found.runtime_version = 13000;
  const char* set = std::getenv("PINION_EMULATED_DEVICES");
  const int count = set != nullptr ? std::atoi(set) : 2;
  for (int i = 0; i < count; ++i) {
    FoundDevice device;
    device.ordinal = i;
    for (std::size_t j = 0; j < device.uuid.size(); ++j)
      device.uuid[j] = static_cast<std::uint8_t>(0x10 * (i + 1) + static_cast<int>(j % 16));
    device.name = "emulated device";
    device.pci_address = "0000:0" + std::to_string(i + 1) + ":00.0";
    device.total_bytes = device_bytes;
    device.major = 9;
    found.devices.push_back(std::move(device));
  }
  if (found.devices.empty()) found.why_none = "PINION_EMULATED_DEVICES hides every device";
  return found;
}

Status make_current(int) {
  return {};
}

Status free_bytes(std::uint64_t& out) {
  out = device_bytes;
  return alive("asking for free device memory");
}

Trouble trouble_of(const Status& status) {
  if (status.ok()) return Trouble::none;
  if (status.code() == out_of_memory) return Trouble::out_of_memory;
  return status.code() < 0 ? Trouble::ours : Trouble::lost;
}

Memory::~Memory() {
  if (memory_ != nullptr) munmap(memory_, bytes_);
}
Status Memory::make(Memory& out, Where where, std::size_t bytes) {
  PINION_TRY(alive("allocating"));
  Memory made;
  made.where_ = where;
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED || bytes > device_bytes) return {out_of_memory, "allocating: out of memory (emulated)"};
  made.memory_ = at;
  made.bytes_ = bytes;
  out = std::move(made);
  return {};
}

StreamOwner::~StreamOwner() {
  delete stream_;
}
Status StreamOwner::make(StreamOwner& out) {
  PINION_TRY(alive("making a stream"));
  out = {};
  out.stream_ = new CUstream_st;
  return {};
}

Event::~Event() {
  delete event_;
}
Status Event::make(Event& out) {
  PINION_TRY(alive("making an event"));
  out = {};
  out.event_ = new CUevent_st;
  return {};
}
Status Event::record(Stream) {
  event_->at = std::chrono::steady_clock::now();
  return alive("marking a place in a stream");
}
Status Event::passed(bool& out) const {
  out = true;
  return alive("waiting for the device");
}
Status Event::hold(Stream) const {
  return alive("making a stream wait");
}
Status Event::since(const Event& from, float& milliseconds) const {
  milliseconds = std::chrono::duration<float, std::milli>(event_->at - from.event_->at).count();
  return {};
}

Status copy_async(void* to, const void* from, std::size_t bytes, Stream, const char* what) {
  PINION_TRY(alive(what));
  if (bytes != 0) std::memcpy(to, from, bytes);
  return {};
}
Status fill_async(void* at, int byte, std::size_t bytes, Stream, const char* what) {
  PINION_TRY(alive(what));
  if (bytes != 0) std::memset(at, byte, bytes);
  return {};
}
Status synchronize(Stream, const char* what) {
  return alive(what);
}

Status touch_illegal_address(Stream) {
  dead = true;
  return alive("the drill's kernel");
}

}  // namespace pinion::cuda
