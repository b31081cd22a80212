#include "partition.hpp"

#include <cstring>
#include <numeric>

#include "msm_finish.hpp"
#include "rows.hpp"

namespace pinion::backend_cuda {

using cuda::ArenaScope;
using cuda::Curve;

Partition::Partition(Device& device, const KeyResident& key, const ShapeResident& shape, unsigned arrivals)
    : device_(device),
      key_(key),
      shape_(shape),
      block_(device.space().take(PartitionMemory::bytes(key.counts()), DeviceSpace::End::high, "a proof")),
      arena_(block_.data(), block_.size()),
      kernels_(device.kernels()),
      copies_(device.new_stream()),
      upload_(device, copies_.get()),
      ready_(device.new_event()),
      forked_(device.new_event()),
      b_g2_ones_(device) {
  for (std::size_t i = 0; i < sides_.size(); ++i) sides_[i] = device_.side(i);
  for (cuda::Event& event : marks_) event = device_.new_event();
  for (unsigned i = 0; i < static_cast<unsigned>(Sum::h); ++i) rests_.emplace_back(device);
  for (unsigned i = 0; i < arrivals; ++i) arrivals_.emplace_back(device);
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
  device_.check(marks_[0].record(kernels_));
  sum_witness();
  mark(Part::sum_witness);
  evaluations_copied_ = job.evaluations.has_value();
  if (!evaluations_copied_) evaluate();
  mark(Part::evaluate);
  quotient(job, call);
  sum_h();
  mark(Part::sum_h);
}

void Partition::copy_witness(const groth16::Witness& witness, Call& call) {
  Span span(call, "copy witness");
  const bool packed = !witness.bits.empty();
  b_inputs_.clear();
  for (const std::uint32_t i : shape_.b_inputs()) b_inputs_.push_back(witness.inputs[i]);
  const auto copy = [&](void* to, auto from, const char* what) {
    upload_.bytes(to, std::as_bytes(from), call, span, what);
  };
  copy(memory_.inputs, witness.inputs, "copying the inputs");
  copy(memory_.b_inputs, std::span<const bls::Fr>(b_inputs_), "copying the inputs");
  copy(memory_.scalars, witness.scalars, "copying the scalars");
  copy(memory_.bits, witness.bits, "copying the bits");
  upload_.finish(call);
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

void Partition::evaluate() {
  const auto rows = [this](groth16::Matrix matrix, cuda::Fr* to) {
    device_.check(cuda::evaluate_rows(shape_.matrix(matrix), witness_, to, key_.domain(), kernels_));
  };
  rows(groth16::Matrix::a, memory_.a);
  rows(groth16::Matrix::b, memory_.b);
}

void Partition::quotient(const backend_groth16::Job& job, Call& call) {
  const ArenaScope scope(arena_);
  const cuda::Quotient steps{key_.ntt(), memory_.a, memory_.b, take_fr(arena_, key_.domain(), "the vector c"),
                             kernels_};
  if (job.evaluations)
    begin_quotient(*job.evaluations, steps, call);
  else
    device_.check(steps.begin());
  device_.check(steps.to_coset());
  mark(Part::ntt);
  device_.check(steps.from_coset());
  mark(Part::coset_intt);
}

// The first passes over a range of columns run while the next range is copied. A range is waited for from the end of
// what the device had to do before: copies from pageable memory last until the host may go on, and nothing is queued
// meanwhile.
void Partition::begin_quotient(const backend_groth16::Job::Evaluations& evaluations, const cuda::Quotient& quotient,
                               Call& call) {
  constexpr std::size_t element = sizeof(bls::Fr);
  Span span(call, "copy evaluations");
  const std::pair<cuda::Fr*, std::span<const bls::Fr>> vectors[] = {{memory_.a, evaluations.a},
                                                                    {memory_.b, evaluations.b}};
  for (const auto& [to, from] : vectors)
    device_.check(cuda::fill_async(reinterpret_cast<std::byte*>(to) + from.size_bytes(), 0,
                                   key_.domain() * element - from.size_bytes(), copies_.get(),
                                   "the domain beyond the rows"));
  const auto count = static_cast<unsigned>(arrivals_.size());
  for (unsigned index = 0; index < count; ++index) {
    const cuda::NttPart part{index, count};
    arrivals_[index].begin(kernels_);
    for (const auto& [to, from] : vectors)
      upload_.columns(to, from, {key_.ntt().lg_size(), part}, call, span, "copying evaluations");
    device_.check(ready_.record(copies_.get()));
    device_.check(ready_.hold(kernels_));
    arrivals_[index].end(kernels_);
    device_.check(quotient.begin(part));
  }
  upload_.finish(call);
}

// b and all behind it are free by now.
void Partition::sum_h() {
  arena_.release_to(memory_.before_b);
  cuda::MsmOutput output;
  device_.check(cuda::msm(Curve::g1, {key_.h(), nullptr, memory_.a, key_.domain()}, arena_, output, kernels_));
  keep_windows(Sum::h, Curve::g1, output, kernels_);
}

void Partition::wait(Part part, Call& call) {
  const Span span(call, part_names[static_cast<unsigned>(part)]);
  if (part == Part::sum_witness) wait_for_small_sums(call);
  device_.wait(mark_of(part), call);
  call.progress(static_cast<unsigned>(part) + 1, part_count);
}

// The sum over G2 comes last, so that its spans are what it takes beyond the others.
void Partition::wait_for_small_sums(Call& call) {
  const auto rest = [this, &call](Sum sum) { device_.wait(rests_[static_cast<unsigned>(sum)].end(), call); };
  {
    const Span span(call, "multiply scalars");
    for (const Sum sum : {Sum::l, Sum::a, Sum::b_g1}) rest(sum);
    const Span b_g2(call, "sum b_g2");
    rest(Sum::b_g2);
  }
  const Span span(call, "add ones");
  device_.wait(b_g2_ones_.begin(), call);
  const Span b_g2(call, "sum b_g2");
  device_.wait(b_g2_ones_.end(), call);
}

groth16::ProofSums Partition::finish(Call& call) {
  device_.drill(Fault::Stage::finish);
  wait(Part::sum_witness, call);
  if (!evaluations_copied_) wait(Part::evaluate, call);
  {
    const Span span(call, "sum quotient");
    {
      const Span transforms(call, "quotient transforms");
      wait(Part::ntt, call);
      wait(Part::coset_intt, call);
    }
    wait(Part::sum_h, call);
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

Partition::Times Partition::times() const {
  Times out;
  for (std::size_t part = 0; part < part_count; ++part)
    device_.check(marks_[part + 1].since(marks_[part], out.parts[part]));
  for (const Interval& arrival : arrivals_) out.waited += arrival.milliseconds();
  out.sum_b_g2 = rests_[static_cast<unsigned>(Sum::b_g2)].milliseconds() + b_g2_ones_.milliseconds();
  return out;
}

std::chrono::nanoseconds Partition::Times::busy() const {
  const std::chrono::duration<float, std::milli> sum(std::accumulate(parts.begin(), parts.end(), -waited));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(sum);
}

}  // namespace pinion::backend_cuda
