#include "device.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace pinion::backend_cuda {
namespace {

constexpr auto poll_interval = std::chrono::microseconds(100);

}  // namespace

Device::Device(const cuda::FoundDevice& found, std::uint64_t capacity, Fault fault)
    : facts_(found), name_(found.name + " (" + found.pci_address + ")"), space_(name_, capacity), fault_(fault) {}

cuda::Stream Device::made(cuda::StreamOwner& stream) {
  const std::lock_guard lock(mutex_);
  if (stream.get() == nullptr) check(cuda::StreamOwner::make(stream));
  return stream.get();
}

cuda::Stream Device::kernels() {
  return made(kernels_);
}

cuda::Stream Device::side(std::size_t i) {
  return made(sides_[i]);
}

cuda::StreamOwner Device::new_stream() {
  cuda::StreamOwner out;
  check(cuda::StreamOwner::make(out));
  return out;
}

cuda::Event Device::new_event() {
  cuda::Event out;
  check(cuda::Event::make(out));
  return out;
}

void Device::wait(const cuda::Event& event, const Call& call) const {
  for (;;) {
    bool passed = false;
    check(event.passed(passed));
    if (passed) return;
    call.check();
    std::this_thread::sleep_for(poll_interval);
  }
}

void Device::drain(const cuda::Event& event) const noexcept {
  if (!cuda::make_current(facts_.ordinal).ok()) return;
  for (bool passed = false; !passed; std::this_thread::sleep_for(poll_interval))
    if (!event.passed(passed).ok()) return;  // the device is lost, and does nothing any more
}

void Device::drill(Fault::Stage stage) {
  Fault::Kind kind = Fault::Kind::none;
  {
    const std::lock_guard lock(mutex_);
    if (fault_.stage == stage) kind = std::exchange(fault_.kind, Fault::Kind::none);
  }
  switch (kind) {
    case Fault::Kind::none:
      return;
    case Fault::Kind::out_of_memory:
      throw Error(PINION_OUT_OF_MEMORY, name_ + ": out of memory (a drill)");
    case Fault::Kind::device_lost:
      throw Error(PINION_DEVICE_LOST, name_ + ": the device is lost (a drill)");
    case Fault::Kind::illegal_address:
      check(cuda::touch_illegal_address(kernels()));
      throw Error(PINION_INTERNAL, name_ + ": the drill's illegal access went through");
  }
}

}  // namespace pinion::backend_cuda
