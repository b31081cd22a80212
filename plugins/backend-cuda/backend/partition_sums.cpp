// The sums over the witness: of each query the points of ones, and the small sum of multiples of the rest.
#include "partition.hpp"

namespace pinion::backend_cuda {

using cuda::ArenaScope;
using cuda::Curve;

void Partition::sum_witness() {
  const auto b_count = static_cast<std::uint32_t>(b_inputs_.size());
  const auto over_b = [&](Sum sum, Curve curve, const std::byte* points) {
    return Query{sum, curve, points, shape_.b_aux(), memory_.b_inputs, b_count, terms_[2]};
  };
  const Query queries[] = {
      {Sum::l, Curve::g1, key_.l(), {}, nullptr, 0, terms_[0]},
      {Sum::a, Curve::g1, key_.a(), shape_.a_aux(), memory_.inputs, witness_.num_inputs, terms_[1]},
      over_b(Sum::b_g1, Curve::g1, key_.b_g1()),
      over_b(Sum::b_g2, Curve::g2, key_.b_g2())};
  sum_rests(queries);
  for (const Query& query : queries) {
    if (query.sum == Sum::b_g2) b_g2_ones_.begin(kernels_);
    if (query.terms.ones != 0) sum_ones(query);
  }
  b_g2_ones_.end(kernels_);
}

// A sum of a million multiples alone leaves much of the device idle: as many at once as there is room for, each with a
// piece of the arena; one that is too large for that alone, with all of it.
void Partition::sum_rests(std::span<const Query> queries) {
  const std::size_t used = arena_.used();
  std::size_t sides_used = 0;
  fork();
  for (const Query& query : queries) {
    if (query.rest() == 0) continue;
    const std::uint64_t bytes = PartitionMemory::rest_bytes(query.curve, query.rest(), witness_.num_aux);
    if (sides_used == sides_.size() || bytes > arena_.size() - arena_.used()) {
      join(used);
      sides_used = 0;
      fork();
    }
    if (bytes > arena_.size() - arena_.used()) {
      sum_rest(query, arena_, kernels_);
      fork();
      continue;
    }
    cuda::Arena piece(take<std::byte>(arena_, bytes, "a query"), bytes);
    const cuda::Stream side = sides_[sides_used++];
    device_.check(forked_.hold(side));
    sum_rest(query, piece, side);
  }
  join(used);
}

// What the sides do from now on comes after what the stream of kernels has been given.
void Partition::fork() {
  device_.check(forked_.record(kernels_));
}

// What the stream of kernels is given from now on comes after what the sides have been given, and may use the arena
// from `used` on again.
void Partition::join(std::size_t used) {
  for (const Interval& rest : rests_) device_.check(rest.end().hold(kernels_));
  arena_.release_to(used);
}

template <class T>
T* Partition::take(cuda::Arena& arena, std::size_t count, const char* what) {
  T* out = nullptr;
  device_.check(arena.take(out, count, what));
  return out;
}

cuda::Fr* Partition::take_fr(cuda::Arena& arena, std::size_t count, const char* what) {
  return reinterpret_cast<cuda::Fr*>(take<std::byte>(arena, count * sizeof(bls::Fr), what));
}

void Partition::sum_ones(const Query& query) {
  const ArenaScope scope(arena_);
  auto* const list = take<std::uint32_t>(arena_, query.terms.ones, "the ones of a query");
  auto* const count = take<std::uint32_t>(arena_, 1, "the ones of a query");
  device_.check(cuda::list_ones(witness_, query.aux, list, count, arena_, kernels_));
  const void* out = nullptr;
  device_.check(cuda::sum_of_points(query.curve, query.points, list, count, query.terms.ones, arena_, out, kernels_));
  device_.check(cuda::copy_async(result(query.sum), out, cuda::xyzz_bytes(query.curve), kernels_, "a sum"));
  results_[static_cast<unsigned>(query.sum)].ones = true;
}

void Partition::sum_rest(const Query& query, cuda::Arena& arena, cuda::Stream stream) {
  const ArenaScope scope(arena);
  Interval& time = rests_[static_cast<unsigned>(query.sum)];
  time.begin(stream);
  auto* const points = take<std::uint32_t>(arena, query.rest(), "the scalars of a query");
  auto* const values = take_fr(arena, query.rest(), "the scalars of a query");
  const auto value_at = [values](std::size_t i) {
    return reinterpret_cast<cuda::Fr*>(reinterpret_cast<std::byte*>(values) + i * sizeof(bls::Fr));
  };
  if (query.input_count != 0) {
    constexpr const char* what = "the inputs of a query";
    device_.check(cuda::copy_async(points, shape_.input_points(), query.input_count * sizeof *points, stream, what));
    device_.check(cuda::copy_async(values, query.inputs, query.input_count * sizeof(bls::Fr), stream, what));
  }
  if (query.terms.scalars != 0)
    device_.check(cuda::list_scalars(witness_, query.aux, points + query.input_count, value_at(query.input_count),
                                     arena, stream));
  cuda::MsmOutput output;
  device_.check(cuda::msm(query.curve, {query.points, points, values, query.rest()}, arena, output, stream));
  keep_windows(query.sum, query.curve, output, stream);
  time.end(stream);
}

void Partition::keep_windows(Sum sum, Curve curve, const cuda::MsmOutput& output, cuda::Stream stream) {
  const std::size_t point = cuda::xyzz_bytes(curve);
  device_.check(cuda::copy_async(result(sum) + point, output.sums, output.windows.count * point, stream, "a sum"));
  Result& kept = results_[static_cast<unsigned>(sum)];
  kept.windows = output.windows;
  kept.windows_used = true;
}

}  // namespace pinion::backend_cuda
