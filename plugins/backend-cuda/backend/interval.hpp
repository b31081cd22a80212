// The stretch between two places in a stream, by the device's clock.
#pragma once

#include "device.hpp"

namespace pinion::backend_cuda {

class Interval {
 public:
  explicit Interval(Device& device) : device_(device), begin_(device.new_event()), end_(device.new_event()) {}

  void begin(cuda::Stream stream) { device_.check(begin_.record(stream)); }
  void end(cuda::Stream stream) {
    device_.check(end_.record(stream));
    ended_ = true;
  }
  // What waits for them waits for nothing until they are recorded.
  const cuda::Event& begin() const { return begin_; }
  const cuda::Event& end() const { return end_; }
  // 0 for one that was never used. The device has passed its end.
  float milliseconds() const {
    float out = 0;
    if (ended_) device_.check(end_.since(begin_, out));
    return out;
  }

 private:
  Device& device_;
  cuda::Event begin_, end_;
  bool ended_ = false;
};

}  // namespace pinion::backend_cuda
