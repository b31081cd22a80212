// What a job lends, on its way to a device: copies in a stream of their own, in pieces, two of them on their way, so
// that a cancelled job ends soon and proofs of another kind get their turn. Not for what lies on the device already.
#pragma once

#include <array>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/plugin/call.hpp>
#include <span>

#include "device.hpp"
#include "ntt.hpp"

namespace pinion::backend_cuda {

class Upload {
 public:
  // `what` is for sentences, and static.
  Upload(Device& device, cuda::Stream stream) : device_(device), stream_(stream) {
    for (cuda::Event& event : copied_) event = device.new_event();
  }

  // Copies all of `from`. Throws Cancelled and what the device says; what is on its way then still reads `from`.
  // [worker]
  void bytes(void* to, std::span<const std::byte> from, Call& call, Span& span, const char* what);
  // Copies what `from`, the beginning of a vector, has in these columns; the rest of them is left. [worker]
  void columns(cuda::Fr* to, std::span<const bls::Fr> from, const cuda::NttColumns& columns, Call& call, Span& span,
               const char* what);
  // Returns when no memory of the host is read any more. Throws the same. [worker]
  void finish(Call& call);

 private:
  struct Rows {
    std::size_t begin, pitch, width, count;  // bytes; the last is a number
  };
  void rows(void* to, const void* from, const Rows& rows, Call& call, Span& span, const char* what);

  Device& device_;
  cuda::Stream stream_;
  std::array<cuda::Event, 2> copied_;
  std::array<bool, 2> under_way_{};
  std::size_t next_ = 0;
};

}  // namespace pinion::backend_cuda
