// Copies to the device of 1 GiB as vectors of evaluations arrive: on end, or in ranges of columns, whose rows are 1 MiB
// on end (Upload of backend-cuda); and row by row, for comparison.
#include <vector>

#include "measure.hpp"
#include "runtime.hpp"

namespace pinion::bench {
namespace {

constexpr std::size_t pitch = 8 << 20, width = 1 << 20, rows = 128, size = pitch * rows;

void copies(Bench& bench, const std::string& name, const std::byte* from) {
  const cuda::ArenaScope scope(bench.arena());
  std::byte* to = nullptr;
  require(bench.arena().take(to, size, "copies"));
  const auto ranges = [&](const auto& copy) {
    return [&, copy]() -> cuda::Status {
      for (std::size_t begin = 0; begin < pitch; begin += width) PINION_TRY(copy(to + begin, from + begin));
      return {};
    };
  };
  const auto row = [&](const char* how, const std::function<cuda::Status()>& f) {
    bench.row("copy of 1 GiB, " + name + ", " + how, f);
  };
  row("on end", [&] { return cuda::copy_async(to, from, size, bench.stream(), "copying"); });
  row("in eight ranges", ranges([&](std::byte* at, const std::byte* of) {
        return cuda::copy_rows_async(at, of, pitch, width, rows, bench.stream(), "copying");
      }));
  row("in eight ranges, row by row", ranges([&](std::byte* at, const std::byte* of) -> cuda::Status {
        for (std::size_t i = 0; i < rows; ++i)
          PINION_TRY(cuda::copy_async(at + i * pitch, of + i * pitch, width, bench.stream(), "copying"));
        return {};
      }));
}

}  // namespace

void bench_copies(Bench& bench) {
  if (!bench.wants("copy of 1 GiB")) return;
  cuda::Memory pinned;
  require(cuda::Memory::make(pinned, cuda::Memory::Where::pinned, size));
  copies(bench, "page-locked memory", pinned.get());
  const std::vector<std::byte> pageable(size, std::byte{1});
  copies(bench, "pageable memory", pageable.data());
}

}  // namespace pinion::bench
