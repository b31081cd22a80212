// oneTBB behind one function: ranges of a loop on a fixed number of threads. Apart from threads.cpp because the library
// is not built with ThreadSanitizer: this file is compiled without it too, and threads.cpp states the order of memory
// in terms that the sanitizer sees.
#pragma once

#include <cstdint>
#include <memory>

namespace pinion::host {

class Arena {
 public:
  enum class Rank { normal, first };  // free threads go to arenas of the first rank before others

  Arena(unsigned threads, Rank rank);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // body(arg, begin, end) for disjoint ranges that together are [0, count); returns when all have. body must not throw.
  void run(std::uint64_t count, void (*body)(void* arg, std::uint64_t begin, std::uint64_t end), void* arg);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace pinion::host
