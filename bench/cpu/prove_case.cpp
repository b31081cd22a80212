// prove-case CASE PARAMS_DIR [THREADS [portable]]: proves partition 0 of a case of any family with the r and s
// stated in its witness-0.json, on the CPU backend's prover without host or plugins; prints seconds per stage and peak
// memory, and fails unless the proof is the stated one, byte for byte. For races and profiles.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/backend_cpu/prover.hpp>
#include <pinion/bench_case/case.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test/vectors.hpp>
#include <thread>

using namespace pinion;
namespace fs = std::filesystem;
using bls::Fr;

namespace {

// Seconds by the clock, and of processor time over all threads: on a busy machine only the second means something.
struct Lap {
  double clock, processor;
};
class Clock {
 public:
  Lap lap() {
    const auto now = std::chrono::steady_clock::now();
    const double busy = processor();
    return {std::chrono::duration<double>(now - std::exchange(last_, now)).count(),
            busy - std::exchange(last_busy_, busy)};
  }

 private:
  static double processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double last_busy_ = processor();
};

void print(const char* stage, const Lap& lap) {
  fmt::print("{:<13}{:8.3f} s {:8.3f} cpu s\n", stage, lap.clock, lap.processor);
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

// As a host lends it: mapped, with huge pages where the kernel has them.
template <class T>
class Slab {
 public:
  explicit Slab(std::size_t count) : count_(count) {
    void* const memory = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc{};
    ::madvise(memory, count * sizeof(T), MADV_HUGEPAGE);
    memory_ = static_cast<T*>(memory);
  }
  Slab(Slab&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)), count_(other.count_) {}
  ~Slab() {
    if (memory_ != nullptr) ::munmap(memory_, count_ * sizeof(T));
  }
  operator std::span<T>() const { return {memory_, count_}; }
  std::span<T> get() const { return *this; }

 private:
  T* memory_;
  std::size_t count_;
};

struct Keys {
  groth16::VerifyingKey head;
  Slab<bls::G1Affine> h, l, a, b_g1;
  Slab<bls::G2Affine> b_g2;
  backend_cpu::ProvingKey view() const { return {head, h.get(), l.get(), a.get(), b_g1.get(), b_g2.get()}; }
};

Keys read_keys(const fs::path& path, Executor& executor) {
  const groth16::File file = groth16::File::open(path.string()).value();
  const groth16::ParamsLayout layout = groth16::ParamsLayout::read(file).value();
  Keys keys{groth16::read_verifying_key(file, layout).value(),
            Slab<bls::G1Affine>(layout.counts.h),
            Slab<bls::G1Affine>(layout.counts.l),
            Slab<bls::G1Affine>(layout.counts.a),
            Slab<bls::G1Affine>(layout.counts.b),
            Slab<bls::G2Affine>(layout.counts.b)};
  const auto read =
      groth16::read_queries(file, layout, bls::Check::curve, {keys.h, keys.l, keys.a, keys.b_g1, keys.b_g2}, executor);
  if (!read) throw std::runtime_error(read.error().message);
  return keys;
}

Fr scalar(const nlohmann::json& hex) {
  const test::Bytes bytes = test::from_hex(hex.get<std::string>());
  return Fr::from_bytes(std::span(bytes).first<32>()).value();
}

int prove(const fs::path& folder, const fs::path& params, unsigned threads, const bls::simd::Kernels& kernels) {
  const nlohmann::json stated = test::read_json(folder / "witness-0.json");
  test::ThreadExecutor executor(threads);
  Clock clock;
  const Keys keys = read_keys(params / stated["params_file"].get<std::string>(), executor);
  const bench::ProofCase proof_case = bench::read_case(folder);
  const groth16::OwnedShape shape = groth16::build(proof_case.kind.record(executor), executor);
  const Lap loading = clock.lap();

  std::vector<Fr> inputs(shape->num_inputs());
  std::vector<std::uint64_t> bits((shape->num_aux() + 63) / 64);
  std::vector<Fr> scalars(shape->num_scalars());
  proof_case.statement->write_witness(0, circuit::end_of(*shape), {inputs, bits, scalars}, executor);
  const Lap synthesis = clock.lap();

  const auto memory = backend_cpu::ProverMemory::of(keys.view().counts(), threads, kernels);
  const Slab<Fr> a(memory.evaluations), b(memory.evaluations), scratch(memory.scratch);
  backend_cpu::Prover prover(keys.view(), *shape, a, b, scratch, kernels);
  const groth16::Witness witness{inputs, bits, scalars};
  const auto evaluations = prover.evaluate(witness, executor);
  const Lap evaluation = clock.lap();
  prover.sum_witness(witness, executor);
  const Lap sums = clock.lap();
  prover.begin_quotient(evaluations, executor);
  prover.sum_quotient(executor);
  const auto proof = prover.finish(scalar(stated["r"]), scalar(stated["s"]));
  const Lap quotient = clock.lap();

  const bool equal = test::to_hex(proof.value().encode()) == stated["proof"].get<std::string>();
  print("loading", loading);
  print("synthesis", synthesis);
  print("evaluation", evaluation);
  print("witness sums", sums);
  print("quotient", quotient);
  const Lap all[] = {synthesis, evaluation, sums, quotient};
  Lap proving{};
  for (const Lap& lap : all) proving = {proving.clock + lap.clock, proving.processor + lap.processor};
  print("proving", proving);
  fmt::print("peak memory  {:8.3f} GB\nproof {}\n", peak_gigabytes(), equal ? "as stated" : "NOT as stated");
  return equal ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 3 || count > 5) {
    fmt::print(stderr, "usage: prove-case CASE PARAMS_DIR [THREADS [portable]]\n");
    return 2;
  }
  const unsigned threads =
      count > 3 ? static_cast<unsigned>(std::stoul(arguments[3])) : std::max(1U, std::thread::hardware_concurrency());
  return prove(arguments[1], arguments[2], threads,
               count > 4 ? bls::simd::portable_kernels() : bls::simd::best_kernels());
} catch (const std::exception& error) {
  fmt::print(stderr, "prove-case: {}\n", error.what());
  return 1;
}
