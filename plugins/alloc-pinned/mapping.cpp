#include "mapping.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <pinion/plugin/error.hpp>
#include <string>
#include <utility>

namespace pinned {
namespace {

std::string file_text(const char* path) {
  std::ifstream in(path);
  std::string text;
  return std::getline(in, text) ? text : "unreadable";
}

std::size_t mapping_count() {
  std::ifstream in("/proc/self/maps");
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  return lines;
}

[[noreturn]] void refuse(std::size_t bytes, HugePages huge, int error) {
  std::string text = "mmap of " + std::to_string(bytes) + " bytes of host memory: " + std::strerror(error);
  if (huge == HugePages::explicit_pool) {
    text += "; huge_pages = \"explicit\" takes from the reserved pool, which has " +
            file_text("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages") +
            " free pages of 2 MiB: raise vm.nr_hugepages, or set huge_pages = \"transparent\"";
  } else {
    text += "; there are " + std::to_string(mapping_count()) + " mappings of at most " +
            file_text("/proc/sys/vm/max_map_count") +
            " (vm.max_map_count); see also ulimit -v and vm.overcommit_memory, or lower [memory] budget";
  }
  throw pinion::Error(PINION_OUT_OF_MEMORY, text, error);
}

void* map(std::size_t bytes, int flags) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return data == MAP_FAILED ? nullptr : data;
}

// Huge pages need an aligned start, which older kernels do not give: map more, cut off both ends.
void* map_aligned(std::size_t bytes) {
  auto* const data = static_cast<std::uint8_t*>(map(bytes + huge_page, 0));
  if (data == nullptr) return nullptr;
  const auto over = reinterpret_cast<std::uintptr_t>(data) % huge_page;
  const std::size_t before = over == 0 ? 0 : huge_page - over;
  if (before != 0) ::munmap(data, before);
  ::munmap(data + before + bytes, huge_page - before);
  return data + before;
}

}  // namespace

Mapping::Mapping(std::size_t bytes, HugePages huge) : bytes_(bytes) {
  const bool transparent = huge == HugePages::transparent && bytes >= huge_page;
  data_ = transparent ? map_aligned(bytes) : map(bytes, huge == HugePages::explicit_pool ? MAP_HUGETLB : 0);
  if (data_ == nullptr) refuse(bytes, huge, errno);
  // Best effort: a kernel without huge pages serves small ones.
  if (huge != HugePages::explicit_pool) ::madvise(data_, bytes, transparent ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Mapping::~Mapping() {
  if (data_ != nullptr) unmap(data_, bytes_);
}

void* Mapping::give_up() noexcept {
  return std::exchange(data_, nullptr);
}

void Mapping::unmap(void* data, std::size_t bytes) noexcept {
  ::munmap(data, bytes);
}

}  // namespace pinned
