#include "guard_buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace pinion::testing {
namespace {
constexpr std::uint64_t page = 4096;
constexpr std::uint8_t slack_pattern = 0xa5;
}  // namespace

GuardBuffer::GuardBuffer(std::uint64_t bytes, Edge edge, std::uint32_t kind) : bytes_(bytes), kind_(kind) {
  body_bytes_ = std::max(page, (bytes + page - 1) / page * page);
  map_bytes_ = body_bytes_ + 2 * page;
  void* map = mmap(nullptr, map_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc{};
  map_ = static_cast<std::uint8_t*>(map);
  body_ = map_ + page;
  if (mprotect(body_, body_bytes_, PROT_READ | PROT_WRITE) != 0) {
    munmap(map_, map_bytes_);
    throw std::bad_alloc{};
  }
  data_ = edge == Edge::start ? body_ : body_ + (body_bytes_ - bytes_);
  std::memset(slack().data(), slack_pattern, slack().size());
}

GuardBuffer::~GuardBuffer() {
  munmap(map_, map_bytes_);
}

std::span<std::uint8_t> GuardBuffer::slack() const noexcept {
  const std::uint64_t length = body_bytes_ - bytes_;
  return {data_ == body_ ? body_ + bytes_ : body_, static_cast<std::size_t>(length)};
}

void GuardBuffer::scrub(std::uint8_t value) noexcept {
  std::memset(data_, value, bytes_);
}

void GuardBuffer::forbid() noexcept {
  mprotect(body_, body_bytes_, PROT_NONE);
}

bool GuardBuffer::intact() const noexcept {
  const auto bytes = slack();
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == slack_pattern; });
}

}  // namespace pinion::testing
