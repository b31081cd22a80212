// One device as the backend uses it: its facts, its memory, the stream in which all proofs' kernels stand in line, and
// waiting that can be cancelled. Copies of a proof go through a stream of its own, so that they run beside the kernels
// of the proof before it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <pinion/plugin/call.hpp>
#include <string>

#include "device_space.hpp"
#include "errors.hpp"
#include "fault.hpp"

namespace pinion::backend_cuda {

class Device {
 public:
  // `capacity`: bytes of device memory that proofs may use. No memory is taken before it is needed.
  Device(const cuda::FoundDevice& found, std::uint64_t capacity, Fault fault);

  const cuda::FoundDevice& facts() const { return facts_; }
  const std::string& name() const { return name_; }  // "NVIDIA H200 (0000:41:00.0)"
  DeviceSpace& space() { return space_; }
  const DeviceSpace& space() const { return space_; }

  // Makes it current for this thread. Before anything else in every call. [worker]
  void enter() { check(cuda::make_current(facts_.ordinal)); }
  // The stream of kernels; made at first use.
  cuda::Stream kernels();
  // Streams for small work that runs beside one another: forked from the stream of kernels and joined to it by events.
  static constexpr std::size_t side_count = 4;
  cuda::Stream side(std::size_t i);
  cuda::StreamOwner new_stream();
  cuda::Event new_event();

  // Throws what errors.hpp makes of it.
  void check(const cuda::Status& status) const { require(status, name_); }
  // Until the device has passed `event`. Throws Cancelled. [worker]
  void wait(const cuda::Event& event, const Call& call) const;
  // The same, whatever happens, without cancelling: before memory is given back. [any]
  void drain(const cuda::Event& event) const noexcept;
  // Time that kernels ran, of work that is done.
  void add_busy(std::chrono::nanoseconds time) { busy_ns_.fetch_add(time.count(), std::memory_order_relaxed); }
  std::chrono::nanoseconds busy() const { return std::chrono::nanoseconds(busy_ns_.load(std::memory_order_relaxed)); }
  // What a drill asks for at this stage; throws like the real thing.
  void drill(Fault::Stage stage);

 private:
  const cuda::FoundDevice facts_;
  const std::string name_;
  DeviceSpace space_;
  std::atomic<std::chrono::nanoseconds::rep> busy_ns_{0};
  std::mutex mutex_;
  cuda::Stream made(cuda::StreamOwner& stream);
  cuda::StreamOwner kernels_;
  std::array<cuda::StreamOwner, side_count> sides_;
  Fault fault_;
};

}  // namespace pinion::backend_cuda
