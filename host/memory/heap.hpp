// The C++ heap, which keeps what is freed for the next who asks: right for small things, wrong for what a proof leaves
// behind, since it is charged to nobody any more. See docs/performance.md for what was measured.
#pragma once

#include <pinion/host/base/bytes.hpp>

namespace pinion::host {

// Gives free pages of the heap back to the OS. Returns by how much the process's own resident memory became less
// meanwhile, whoever did it. Milliseconds for each GiB that goes; one caller at a time does it, others return at once.
// [any]
Bytes trim_heap() noexcept;

}  // namespace pinion::host
