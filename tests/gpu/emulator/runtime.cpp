// runtime.hpp where the emulator is the device: two devices of 4 GiB, whose memory exists when it is touched. A
// stream's copies and fills wait until a kernel in it, an event behind them that somebody waits for, or its end asks
// for them. PINION_EMULATED_DEVICES=0 has no device.
#include "runtime.hpp"

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>

#include "emulator.hpp"

namespace {

class Waiting {
 public:
  void add(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
  }
  std::uint64_t end() const {
    const std::lock_guard lock(mutex_);
    return done_ + work_.size();
  }
  void run_until(std::uint64_t end) {
    const std::lock_guard lock(mutex_);
    for (; done_ < end && !work_.empty(); ++done_) {
      work_.front()();
      work_.pop_front();
    }
  }

 private:
  mutable std::mutex mutex_;
  std::deque<std::function<void()>> work_;
  std::uint64_t done_ = 0;
};

constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();

}  // namespace

struct CUstream_st {
  std::shared_ptr<Waiting> waiting = std::make_shared<Waiting>();
};
struct CUevent_st {
  std::chrono::steady_clock::time_point at;
  std::shared_ptr<Waiting> waiting;  // of the stream it was recorded in
  std::uint64_t place = 0;

  void catch_up() const {
    if (waiting != nullptr) waiting->run_until(place);
  }
};

void pinion::cuda::emulator::catch_up(CUstream_st* stream) {
  if (stream != nullptr) stream->waiting->run_until(everything);
}

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
  emulator::catch_up(stream_);
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
Status Event::record(Stream stream) {
  event_->at = std::chrono::steady_clock::now();
  event_->waiting = stream->waiting;
  event_->place = stream->waiting->end();
  return alive("marking a place in a stream");
}
Status Event::passed(bool& out) const {
  event_->catch_up();
  out = true;
  return alive("waiting for the device");
}
Status Event::hold(Stream) const {
  event_->catch_up();
  return alive("making a stream wait");
}
Status Event::since(const Event& from, float& milliseconds) const {
  milliseconds = std::chrono::duration<float, std::milli>(event_->at - from.event_->at).count();
  return {};
}

Status copy_async(void* to, const void* from, std::size_t bytes, Stream stream, const char* what) {
  return copy_rows_async(to, from, bytes, bytes, 1, stream, what);
}
Status copy_rows_async(void* to, const void* from, std::size_t pitch, std::size_t width, std::size_t rows,
                       Stream stream, const char* what) {
  PINION_TRY(alive(what));
  if (width == 0) return {};
  stream->waiting->add([=] {
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * pitch, static_cast<const std::byte*>(from) + row * pitch, width);
  });
  return {};
}
Status fill_async(void* at, int byte, std::size_t bytes, Stream stream, const char* what) {
  PINION_TRY(alive(what));
  if (bytes != 0) stream->waiting->add([=] { std::memset(at, byte, bytes); });
  return {};
}
Status synchronize(Stream stream, const char* what) {
  emulator::catch_up(stream);
  return alive(what);
}

Status touch_illegal_address(Stream) {
  dead = true;
  return alive("the drill's kernel");
}

}  // namespace pinion::cuda
