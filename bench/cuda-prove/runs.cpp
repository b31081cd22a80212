#include "runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/groth16/random.hpp>
#include <pinion/test/vectors.hpp>
#include <stdexcept>
#include <thread>

namespace pinion::bench {

using backend_cuda::Partition;
using bls::Fr;
using Clock = std::chrono::steady_clock;

namespace {

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

template <class T>
double median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return static_cast<double>(values[values.size() / 2]);
}

// Every core at work on memory and arithmetic, as synthesis of the next partitions is.
class CpuLoad {
 public:
  explicit CpuLoad(bool on) {
    for (unsigned i = 0; on && i < std::thread::hardware_concurrency(); ++i) threads_.emplace_back([this] { work(); });
  }
  ~CpuLoad() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  CpuLoad(const CpuLoad&) = delete;
  CpuLoad& operator=(const CpuLoad&) = delete;

 private:
  void work() {
    std::vector<Fr> values(std::size_t{1} << 20, Fr::from_u64(3));
    while (!stop_)
      for (std::size_t i = 1; i < values.size(); ++i) values[i] = values[i] * values[i - 1];
  }
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

// A vector of scalars where the host would have it.
class HostVector {
 public:
  HostVector(backend_cuda::Device& device, std::size_t count, bool pinned) : count_(count) {
    if (pinned)
      device.check(cuda::Memory::make(pinned_, cuda::Memory::Where::pinned, count * sizeof(Fr)));
    else
      pageable_.resize(count);
  }
  std::span<Fr> get() {
    return {pinned_.get() != nullptr ? reinterpret_cast<Fr*>(pinned_.get()) : pageable_.data(), count_};
  }

 private:
  std::size_t count_;
  cuda::Memory pinned_;
  std::vector<Fr> pageable_;
};

}  // namespace

Runs::Runs(backend_cuda::Device& device, const backend_cuda::KeyResident& keys,
           const backend_cuda::ShapeResident& shape, const CircuitUnderTest& circuit, Executor& executor)
    : device_(device),
      keys_(keys),
      shape_(shape),
      circuit_(circuit),
      executor_(executor),
      verifier_(keys.head()),
      r_(groth16::random_scalar(groth16::system_random)),
      s_(groth16::random_scalar(groth16::system_random)),
      arrivals_(cuda::ntt_parts(keys.ntt().lg_size())) {}

void Runs::check(const groth16::ProofSums& sums) {
  const auto proof = groth16::assemble_proof(keys_.head(), sums, r_, s_).value();
  const auto bytes = proof.encode();
  const std::string sha256 = test::sha256_hex(bytes);
  if (sha256 == sha256_) return;
  if (!sha256_.empty()) throw std::runtime_error("the same job gave two different proofs");
  const auto decoded = groth16::Proof::decode(bytes).value();
  const std::span<const Fr> inputs = std::span(circuit_.inputs).subspan(1);
  if (!verifier_.verify({inputs, decoded}).value()) throw std::runtime_error("the proof does not verify");
  sha256_ = sha256;
}

Runs::Times Runs::prove(const Job& job) {
  const testing::FakeCall fake;
  Call call(fake.table());
  const auto begin = Clock::now();
  Partition partition(device_, keys_, shape_, arrivals_);
  partition.start(job, call);
  const auto started = Clock::now();
  const groth16::ProofSums sums = partition.finish(call);
  const auto finished = Clock::now();
  check(sums);
  return {milliseconds(started - begin), milliseconds(finished - started), partition.times()};
}

nlohmann::json Runs::measure(const std::string& name, const Job& job, unsigned repeats) {
  prove(job);
  std::vector<double> start, finish, total;
  std::array<std::vector<float>, Partition::part_count> parts;
  std::vector<float> waited, sum_b_g2;
  for (unsigned i = 0; i < repeats; ++i) {
    const Times times = prove(job);
    start.push_back(times.start);
    finish.push_back(times.finish);
    total.push_back(times.start + times.finish);
    for (std::size_t part = 0; part < parts.size(); ++part) parts[part].push_back(times.device.parts[part]);
    waited.push_back(times.device.waited);
    sum_b_g2.push_back(times.device.sum_b_g2);
  }
  nlohmann::json out{
      {"name", name},
      {"start_ms", median(start)},
      {"finish_ms", median(finish)},
      {"total_ms", median(total)},
      {"spread_ms", *std::max_element(total.begin(), total.end()) - *std::min_element(total.begin(), total.end())}};
  double before_h = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    out["device_ms"][Partition::part_names[part]] = median(parts[part]);
    if (part + 1 < parts.size()) before_h += median(parts[part]);
  }
  out["device_ms"]["sum b_g2"] = median(sum_b_g2);
  out["device_ms"]["waiting for copies"] = median(waited);
  // The copy of a begins with the first part, so this is all of copies and transforms, and the sums beside the copies.
  if (job.evaluations) out["first_copy_to_h_ms"] = before_h;
  return out;
}

nlohmann::json Runs::packed(unsigned repeats) {
  return measure("witness, packed", {circuit_.witness(), std::nullopt, r_, s_}, repeats);
}

nlohmann::json Runs::plain(unsigned repeats) {
  const std::vector<Fr> aux = circuit_.plain(executor_);
  return measure("witness, plain, pageable", {{circuit_.inputs, {}, aux}, std::nullopt, r_, s_}, repeats);
}

nlohmann::json Runs::evaluations(unsigned repeats, bool pinned, bool load) {
  HostVector aux(device_, circuit_.shape->num_aux(), pinned);
  HostVector a(device_, circuit_.shape->num_rows(), pinned), b(device_, circuit_.shape->num_rows(), pinned);
  const std::vector<Fr> plain = circuit_.plain(executor_);
  std::copy(plain.begin(), plain.end(), aux.get().begin());
  groth16::evaluate(*circuit_.shape, groth16::Matrix::a, circuit_.witness(), a.get(), executor_);
  groth16::evaluate(*circuit_.shape, groth16::Matrix::b, circuit_.witness(), b.get(), executor_);
  const CpuLoad busy(load);
  std::string name =
      std::string("evaluations, ") + (pinned ? "pinned" : "pageable") + (load ? ", every core at work" : "");
  if (arrivals_ != cuda::ntt_parts(keys_.ntt().lg_size())) name += ", in " + std::to_string(arrivals_) + " ranges";
  return measure(name, {{circuit_.inputs, {}, aux.get()}, Job::Evaluations{a.get(), b.get()}, r_, s_}, repeats);
}

nlohmann::json Runs::pipelined(unsigned count) {
  const Job job{circuit_.witness(), std::nullopt, r_, s_};
  const testing::FakeCall fake;
  Call call(fake.table());
  const auto begin = Clock::now();
  std::unique_ptr<Partition> before;
  for (unsigned i = 0; i <= count; ++i) {
    std::unique_ptr<Partition> next;
    if (i < count) {
      next = std::make_unique<Partition>(device_, keys_, shape_, arrivals_);
      next->start(job, call);
    }
    if (before) check(before->finish(call));
    before = std::move(next);
  }
  return {{"name", std::to_string(count) + " partitions, pipelined"}, {"total_ms", milliseconds(Clock::now() - begin)}};
}

}  // namespace pinion::bench
