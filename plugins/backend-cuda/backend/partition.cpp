#include "partition.hpp"

#include <algorithm>
#include <cstring>

#include "msm_finish.hpp"
#include "quotient.hpp"
#include "rows.hpp"

namespace pinion::backend_cuda {

using cuda::ArenaScope;
using cuda::Curve;

namespace {

// Of a copy: what may still be on its way when the job is cancelled, and what a proof of another kind waits at most.
constexpr std::uint64_t piece_bytes = std::uint64_t{64} << 20;

}  // namespace

Partition::Partition(Device& device, const KeyResident& key, const ShapeResident& shape)
    : device_(device),
      key_(key),
      shape_(shape),
      block_(device.space().take(PartitionMemory::bytes(key.counts()), DeviceSpace::End::high, "a proof")),
      arena_(block_.data(), block_.size()),
      kernels_(device.kernels()),
      copies_(device.new_stream()),
      ready_(device.new_event()),
      forked_(device.new_event()) {
  for (std::size_t i = 0; i < sides_.size(); ++i) sides_[i] = device_.side(i);
  for (cuda::Event& event : joined_) event = device_.new_event();
  for (cuda::Event& event : copied_) event = device_.new_event();
  for (cuda::Event& event : marks_) event = device_.new_event();
  rests_summed_ = device_.new_event();
  device_.check(memory_.take(arena_, key_.counts()));
}

Partition::~Partition() {
  static_cast<void>(cuda::make_current(device_.facts().ordinal));  // another thread may have started this
  const auto drain = [this](cuda::Stream stream) {
    if (ready_.record(stream).ok()) device_.drain(ready_);
  };
  drain(copies_.get());
  for (const cuda::Stream side : sides_) drain(side);
  drain(kernels_);
}

void Partition::start(const backend_groth16::Job& job, Call& call) {
  device_.drill(Fault::Stage::start);
  copy_witness(job.witness, call);
  count_terms(call);
  const auto mark = [this](Part part) { device_.check(marks_[static_cast<unsigned>(part) + 1].record(kernels_)); };
  device_.check(marks_[0].record(kernels_));
  sum_witness();
  mark(Part::sum_witness);
  evaluations_copied_ = job.evaluations.has_value();
  if (evaluations_copied_)
    copy_evaluations(*job.evaluations, call);
  else
    evaluate();
  mark(Part::evaluate);
  quotient();
  mark(Part::quotient);
  sum_quotient();
  mark(Part::sum_quotient);
}

void Partition::copy_in(void* to, const void* from, std::uint64_t bytes, Call& call, Span& span, const char* what) {
  std::array<bool, 2> used{};
  std::size_t next = 0;
  for (std::uint64_t at = 0; at < bytes; at += piece_bytes, next ^= 1) {
    if (used[next]) device_.wait(copied_[next], call);
    call.check();
    const std::uint64_t size = std::min(piece_bytes, bytes - at);
    device_.check(cuda::copy_async(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at, size,
                                   copies_.get(), what));
    device_.check(copied_[next].record(copies_.get()));
    used[next] = true;
    span.add_bytes(size);
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) device_.wait(copied_[i], call);
}

void Partition::copy_witness(const groth16::Witness& witness, Call& call) {
  Span span(call, "copy witness");
  const bool packed = !witness.bits.empty();
  b_inputs_.clear();
  for (const std::uint32_t i : shape_.b_inputs()) b_inputs_.push_back(witness.inputs[i]);
  copy_in(memory_.inputs, witness.inputs.data(), witness.inputs.size_bytes(), call, span, "copying the inputs");
  copy_in(memory_.b_inputs, b_inputs_.data(), b_inputs_.size() * sizeof(bls::Fr), call, span, "copying the inputs");
  copy_in(memory_.scalars, witness.scalars.data(), witness.scalars.size_bytes(), call, span, "copying the scalars");
  copy_in(memory_.bits, witness.bits.data(), witness.bits.size_bytes(), call, span, "copying the bits");
  witness_.inputs = memory_.inputs;
  witness_.scalars = memory_.scalars;
  witness_.num_inputs = static_cast<std::uint32_t>(witness.inputs.size());
  witness_.num_aux = key_.counts().l;
  witness_.bits = memory_.bits;
  witness_.scalars_are_dense = packed;
  if (packed) {
    witness_.is_bit = shape_.is_bit();
  } else {
    witness_.is_bit = {memory_.classes, nullptr};
    device_.check(cuda::classify(memory_.scalars, witness_.num_aux, memory_.classes, memory_.bits, copies_.get()));
  }
}

// How much each query adds is known when the device has looked; the kernels' stream need not wait for that.
void Partition::count_terms(Call& call) {
  constexpr std::size_t bytes = PartitionMemory::term_count_words * sizeof(std::uint32_t);
  static_assert(sizeof terms_ == bytes);
  device_.check(cuda::fill_async(memory_.term_counts, 0, bytes, copies_.get(), "counting terms"));
  const cuda::QueryAux queries[] = {{}, shape_.a_aux(), shape_.b_aux()};
  for (std::size_t q = 0; q < std::size(queries); ++q)
    device_.check(cuda::count_terms(witness_, queries[q], memory_.term_counts + 2 * q, copies_.get()));
  device_.check(ready_.record(copies_.get()));
  device_.wait(ready_, call);
  device_.check(cuda::copy_async(terms_.data(), memory_.term_counts, bytes, copies_.get(), "counting terms"));
  device_.check(cuda::synchronize(copies_.get(), "counting terms"));
}

void Partition::copy_evaluations(const backend_groth16::Job::Evaluations& evaluations, Call& call) {
  Span span(call, "copy evaluations");
  const auto copy = [&](cuda::Fr* to, std::span<const bls::Fr> from) {
    copy_in(to, from.data(), from.size_bytes(), call, span, "copying evaluations");
    auto* const end = reinterpret_cast<std::byte*>(to) + from.size_bytes();
    device_.check(cuda::fill_async(end, 0, key_.domain() * sizeof(bls::Fr) - from.size_bytes(), copies_.get(),
                                   "the domain beyond the rows"));
  };
  copy(memory_.a, evaluations.a);
  copy(memory_.b, evaluations.b);
  device_.check(ready_.record(copies_.get()));
  device_.check(ready_.hold(kernels_));
}

void Partition::evaluate() {
  const auto rows = [this](groth16::Matrix matrix, cuda::Fr* to) {
    device_.check(cuda::evaluate_rows(shape_.matrix(matrix), witness_, to, key_.domain(), kernels_));
  };
  rows(groth16::Matrix::a, memory_.a);
  rows(groth16::Matrix::b, memory_.b);
}

void Partition::quotient() {
  const ArenaScope scope(arena_);
  cuda::Fr* const c = take_fr(arena_, key_.domain(), "the vector c");
  device_.check(cuda::quotient(key_.ntt(), memory_.a, memory_.b, c, kernels_));
}

// b and all behind it are free by now.
void Partition::sum_quotient() {
  arena_.release_to(memory_.before_b);
  cuda::MsmOutput output;
  device_.check(cuda::msm(Curve::g1, {key_.h(), nullptr, memory_.a, key_.domain()}, arena_, output, kernels_));
  keep_windows(Sum::h, Curve::g1, output, kernels_);
}

void Partition::wait(const cuda::Event& event, const char* name, Call& call) {
  const Span span(call, name);
  device_.wait(event, call);
}

groth16::ProofSums Partition::finish(Call& call) {
  device_.drill(Fault::Stage::finish);
  for (std::size_t part = 0; part < part_count; ++part) {
    const Span span(call, part_names[part]);
    if (part == static_cast<std::size_t>(Part::sum_witness)) {
      wait(rests_summed_, "multiply scalars", call);
      wait(marks_[part + 1], "add ones", call);
    } else {
      device_.wait(marks_[part + 1], call);
    }
    call.progress(part + 1, part_count);
  }
  std::vector<std::byte> results(sum_count * result_bytes);
  device_.check(
      cuda::copy_async(results.data(), memory_.results, results.size(), copies_.get(), "copying the results"));
  device_.check(cuda::synchronize(copies_.get(), "copying the results"));
  groth16::ProofSums sums;
  sums.l = total<bls::Fp>(Sum::l, results);
  sums.a = total<bls::Fp>(Sum::a, results);
  sums.b_g1 = total<bls::Fp>(Sum::b_g1, results);
  sums.b_g2 = total<bls::Fp2>(Sum::b_g2, results);
  sums.h = total<bls::Fp>(Sum::h, results);
  return sums;
}

template <class Field>
bls::Jacobian<Field> Partition::total(Sum sum, const std::vector<std::byte>& results) const {
  using Point = cuda::HostXyzz<Field>;
  static_assert(sizeof(Point) <= cuda::xyzz_bytes(Curve::g2));
  std::array<Point, points_per_result> points;
  std::memcpy(points.data(), results.data() + static_cast<unsigned>(sum) * result_bytes, sizeof points);
  const Result& kept = results_[static_cast<unsigned>(sum)];
  auto out = bls::Jacobian<Field>::infinity();
  if (kept.ones) out += points[0].to_jacobian();
  if (kept.windows_used)
    out += cuda::finish_msm<Field>(kept.windows, std::span<const Point>(points).subspan(1, kept.windows.count));
  return out;
}

std::array<float, Partition::part_count> Partition::milliseconds() const {
  std::array<float, part_count> out{};
  for (std::size_t part = 0; part < part_count; ++part) device_.check(marks_[part + 1].since(marks_[part], out[part]));
  return out;
}

std::chrono::nanoseconds Partition::busy() const {
  const auto times = milliseconds();
  float sum = 0;
  for (std::size_t part = 0; part < part_count; ++part)
    if (!evaluations_copied_ || part != static_cast<std::size_t>(Part::evaluate)) sum += times[part];
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<float, std::milli>(sum));
}

}  // namespace pinion::backend_cuda
