// Adding the points of a group of windows of the H sum into buckets: in XYZZ, and in rounds by each variant.
#include <bit>
#include <vector>

#include "elements.hpp"
#include "measure.hpp"
#include "msm_tasks.hpp"
#include "points.hpp"
#include "sort.hpp"

namespace pinion::cuda::msm_steps {
Status add_in_rounds(const Rounds& rounds, const void* points, unsigned variant, Stream stream);
}

namespace pinion::bench {
namespace {

using cuda::msm_steps::Rounds;
using cuda::msm_steps::Tasks;

struct Variant {
  const char* name;
  unsigned threads;  // resident on a multiprocessor
};
constexpr Variant variants[] = {{"128x2, two slots", 256},
                                {"128x2, three slots", 256},
                                {"128x3, two slots", 384},
                                {"128x2, calls", 256},
                                {"128x3, calls", 384},
                                {"128x2, arithmetic alone", 256},
                                {"128x2, calls, arithmetic alone", 256},
                                {"128x3, arithmetic alone", 384}};

void group(Bench& bench, const std::byte* points, const std::uint32_t* index, const cuda::Fr* scalars, std::size_t size,
           unsigned from, unsigned count) {
  const cuda::ArenaScope scope(bench.arena());
  cuda::Arena& arena = bench.arena();
  const cuda::Windows windows = cuda::windows_for(cuda::Curve::g1, size);
  const std::size_t pairs = size * count, buckets = (std::size_t{1} << (windows.bits - 1)) * count;
  Tasks tasks{};
  tasks.max_length = 1024;
  tasks.scratch_bits = 11;
  tasks.buckets = buckets;
  tasks.capacity = buckets + pairs / tasks.max_length + 1;
  std::uint32_t *keys = nullptr, *values = nullptr, *sorted_keys = nullptr, *sorted_values = nullptr;
  std::uint32_t *bounds = nullptr, *work = nullptr;
  unsigned* different = nullptr;
  std::byte *scratch = nullptr, *sums = nullptr, *other_sums = nullptr;
  const std::size_t scratch_bytes = cuda::sort_scratch_bytes(pairs);
  require(arena.take(keys, pairs, "digits"));
  require(arena.take(values, pairs, "digits"));
  require(arena.take(sorted_keys, pairs, "digits"));
  require(arena.take(sorted_values, pairs, "digits"));
  require(arena.take(scratch, scratch_bytes, "sorting"));
  require(arena.take(bounds, 2 * buckets + 2, "tasks"));
  require(arena.take(work, 4 * tasks.capacity, "tasks"));
  require(arena.take(tasks.begin, tasks.capacity, "tasks"));
  require(arena.take(tasks.length, tasks.capacity, "tasks"));
  require(arena.take(tasks.order, tasks.capacity, "tasks"));
  require(arena.take(tasks.first, buckets + 1, "tasks"));
  require(arena.take(sums, tasks.capacity * 192, "sums"));
  require(arena.take(other_sums, tasks.capacity * 192, "sums"));
  require(arena.take(different, 1, "a counter"));
  tasks.values = sorted_values;
  const auto stream = bench.stream();
  const std::string name = "windows " + std::to_string(from) + " to " + std::to_string(from + count - 1) +
                           (index != nullptr ? ", points in L2, " : ", ");

  const auto prepare = [&] {
    PINION_TRY(
        cuda::msm_steps::write_digits({points, index, scalars, size}, windows, from, count, keys, values, stream));
    PINION_TRY(cuda::sort_pairs(keys, sorted_keys, values, sorted_values, pairs,
                                static_cast<unsigned>(std::bit_width(buckets)), scratch, scratch_bytes, stream));
    return cuda::msm_steps::make_tasks(sorted_keys, pairs, tasks, bounds, work, scratch, scratch_bytes, stream);
  };
  bench.row(name + "digits, sort, tasks", prepare);
  const auto xyzz = [&] { return cuda::msm_steps::Steps<cuda::G1>::accumulate(tasks, nullptr, points, sums, stream); };
  bench.row(name + "XYZZ", xyzz);
  for (unsigned variant = 0; variant < std::size(variants); ++variant) {
    const cuda::ArenaScope inner(arena);
    Rounds rounds{};
    const auto turn = [&] {
      const cuda::ArenaScope innermost(arena);
      return cuda::msm_steps::make_rounds(tasks, keys, variants[variant].threads * bench.multiprocessors(), arena,
                                          scratch, scratch_bytes, rounds, stream);
    };
    if (variant == 0) bench.row(name + "rounds made", turn);
    require(turn());
    const auto add = [&] { return cuda::msm_steps::add_in_rounds(rounds, points, variant, stream); };
    const auto rest = [&] {
      return cuda::msm_steps::Steps<cuda::G1>::accumulate(tasks, &rounds, points, other_sums, stream);
    };
    require(add());
    require(rest());
    require(cudaMemsetAsync(different, 0, sizeof *different, stream), "a counter");
    require(cuda::check::count_different_sums(sums, other_sums, tasks.capacity, different, stream));
    unsigned wrong = 0, made = 0;
    require(cudaMemcpy(&wrong, different, sizeof wrong, cudaMemcpyDeviceToHost), "a counter");
    require(cudaMemcpy(&made, rounds.made, sizeof made, cudaMemcpyDeviceToHost), "a counter");
    bench.row(name + "rounds " + variants[variant].name, add, {{"wrong", wrong}, {"made", made}});
    if (variant == 0 || variant == 2) bench.row(name + "the rest after rounds " + variants[variant].name, rest);
  }
}

}  // namespace

void bench_rounds(Bench& bench) {
  if (!bench.wants("rounds")) return;
  const cuda::ArenaScope scope(bench.arena());
  constexpr std::size_t size = std::size_t{1} << 27;
  std::byte *points = nullptr, *memory = nullptr;
  require(bench.arena().take(points, size * cuda::affine_bytes(cuda::Curve::g1), "points"));
  require(bench.arena().take(memory, size * 32, "scalars"));
  cuda::Fr* const scalars = reinterpret_cast<cuda::Fr*>(memory);
  require(cuda::check::fill_multiples(cuda::Curve::g1, points, size, bench.arena(), bench.stream()));
  require(cuda::check::fill_random(scalars, size, 27, bench.stream()));
  group(bench, points, nullptr, scalars, size, 6, 6);
  std::uint32_t* index = nullptr;  // so few points that they stay in the cache
  require(bench.arena().take(index, size, "indices"));
  std::vector<std::uint32_t> few(size);
  for (std::size_t i = 0; i < size; ++i) few[i] = static_cast<std::uint32_t>(i % (1 << 17));
  require(cudaMemcpy(index, few.data(), size * sizeof few[0], cudaMemcpyHostToDevice), "indices");
  group(bench, points, index, scalars, size, 6, 6);
}

}  // namespace pinion::bench
