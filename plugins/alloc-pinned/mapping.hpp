// One anonymous mapping, owned, with the huge pages that were asked for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pinned {

inline constexpr std::size_t small_page = 4096;
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

enum class HugePages { transparent, explicit_pool, off };

class Mapping {
 public:
  // `bytes` is a positive multiple of a page, with explicit_pool of a huge page. OUT_OF_MEMORY: the kernel refuses;
  // says which limit stood against it.
  Mapping(std::size_t bytes, HugePages huge);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  void* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  // It is somebody else's from here; unmap() ends it.
  void* give_up() noexcept;

  static void unmap(void* data, std::size_t bytes) noexcept;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace pinned
