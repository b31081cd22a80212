// Buffers between guard pages, for tests of plugins: one byte too far is a fault at once, not a wrong proof later.
#pragma once

#include <pinion/memory.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pinion::testing {

class GuardBuffer {
 public:
  // Which end touches its guard page. The other end has slack of less than a page, filled with a pattern that intact()
  // checks. `end` finds overruns, but the address is then aligned only as far as the length is a multiple of a power of
  // two; `start` finds underruns and is page-aligned, as the host's buffers are.
  enum class Edge { start, end };

  explicit GuardBuffer(std::uint64_t bytes, Edge edge = Edge::end, std::uint32_t kind = PINION_MEMORY_PAGEABLE);
  GuardBuffer(const GuardBuffer&) = delete;
  GuardBuffer& operator=(const GuardBuffer&) = delete;
  ~GuardBuffer();

  std::uint8_t* data() const noexcept { return data_; }
  std::span<std::uint8_t> span() const noexcept { return {data_, static_cast<std::size_t>(bytes_)}; }
  pinion_buffer buffer(std::uint64_t id = 0) const noexcept { return {data_, bytes_, kind_, 0, id}; }

  // Overwrites the content: what a host does with a buffer that was promised to be free.
  void scrub(std::uint8_t value) noexcept;
  // Takes all access away: any later touch is a fault.
  void forbid() noexcept;
  // False when the slack was written.
  bool intact() const noexcept;

 private:
  std::span<std::uint8_t> slack() const noexcept;

  std::uint8_t* map_ = nullptr;
  std::uint8_t* body_ = nullptr;  // the accessible pages
  std::uint8_t* data_ = nullptr;
  std::uint64_t bytes_, map_bytes_ = 0, body_bytes_ = 0;
  std::uint32_t kind_;
};

}  // namespace pinion::testing
