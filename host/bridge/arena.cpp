#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <pinion/host/bridge/arena.hpp>

namespace pinion::host {

struct Arena::Inside {
  // The library makes as many threads as the machine has CPUs unless it is told that more are wanted.
  tbb::global_control limit;
  tbb::task_arena arena;
  Inside(unsigned threads, Rank rank)
      : limit(tbb::global_control::max_allowed_parallelism, std::max(2u, threads)),
        arena(static_cast<int>(threads), 1,
              rank == Rank::first ? tbb::task_arena::priority::high : tbb::task_arena::priority::normal) {}
};

Arena::Arena(unsigned threads, Rank rank) : inside_(std::make_unique<Inside>(threads, rank)) {}
Arena::~Arena() = default;

void Arena::run(std::uint64_t count, void (*body)(void*, std::uint64_t, std::uint64_t), void* arg) {
  inside_->arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count, 1),
                      [&](const tbb::blocked_range<std::uint64_t>& range) { body(arg, range.begin(), range.end()); });
  });
}

}  // namespace pinion::host
