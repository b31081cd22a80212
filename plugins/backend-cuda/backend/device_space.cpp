#include "device_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "errors.hpp"

namespace pinion::backend_cuda {
namespace {

std::string gib(std::uint64_t bytes) {
  return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (1U << 30));
}

}  // namespace

DeviceBlock::~DeviceBlock() {
  if (space_ != nullptr) space_->give_back(static_cast<std::uint64_t>(data_ - space_->memory_.get()), size_);
}

void DeviceSpace::open() {
  if (memory_.get() != nullptr) return;
  const cuda::Status status = cuda::Memory::make(memory_, cuda::Memory::Where::device, capacity_);
  if (cuda::trouble_of(status) == cuda::Trouble::out_of_memory) {
    std::uint64_t free = 0;
    require(cuda::free_bytes(free), name_);
    throw Error(PINION_OUT_OF_MEMORY,
                fmt::format("{}: {} are to be taken for proofs and {} are free: another process uses the device; stop "
                            "it, or set `memory` of [plugin.backend-cuda]",
                            name_, gib(capacity_), gib(free)),
                status.code());
  }
  require(status, name_);
  holes_.emplace(0, capacity_);
}

DeviceBlock DeviceSpace::take(std::uint64_t bytes, End end, const char* what) {
  const std::lock_guard lock(mutex_);
  open();
  const std::uint64_t size = std::max(padded(bytes), alignment);
  const auto fits = [size](const auto& hole) { return hole.second >= size; };
  auto found = holes_.end();
  if (end == End::low) {
    found = std::find_if(holes_.begin(), holes_.end(), fits);
  } else if (const auto last = std::find_if(holes_.rbegin(), holes_.rend(), fits); last != holes_.rend()) {
    found = std::prev(last.base());
  }
  if (found == holes_.end()) {
    std::uint64_t free = 0, largest = 0;
    for (const auto& [offset, hole] : holes_) {
      free += hole;
      largest = std::max(largest, hole);
    }
    throw Error(PINION_OUT_OF_MEMORY, fmt::format("{}: {} for {}: {} are free, the largest piece has {}", name_,
                                                  gib(size), what, gib(free), gib(largest)));
  }
  auto [offset, hole] = *found;
  holes_.erase(found);
  const std::uint64_t at = end == End::low ? offset : offset + hole - size;
  if (at > offset) holes_.emplace(offset, at - offset);
  if (at + size < offset + hole) holes_.emplace(at + size, offset + hole - at - size);
  DeviceBlock block;
  block.space_ = this;
  block.data_ = memory_.get() + at;
  block.size_ = size;
  return block;
}

void DeviceSpace::give_back(std::uint64_t offset, std::uint64_t size) noexcept {
  const std::lock_guard lock(mutex_);
  auto next = holes_.lower_bound(offset);
  if (next != holes_.end() && next->first == offset + size) {
    size += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += size;
      return;
    }
  }
  holes_.emplace_hint(next, offset, size);
}

}  // namespace pinion::backend_cuda
