#include <pinion/host/ab/load.hpp>
#include <pinion/host/ab/random.hpp>

namespace pinion::host::ab {
namespace {

constexpr std::uint64_t words = LoadGenerator::bytes_per_thread / sizeof(std::uint64_t);
constexpr std::uint64_t step = 4096;  // words between two looks at whether it is enough

// One stretch of the output: for each word two scattered reads and a product of 64 by 64 bits.
void synthesise(std::vector<std::uint64_t>& memory, std::uint64_t begin, Random& random) {
  std::uint64_t sum = random.next();
  const std::uint64_t half = words / 2;  // the lower half is read, the upper one written
  for (std::uint64_t i = begin; i < begin + step; ++i) {
    const std::uint64_t at = sum % half;
    const auto product = static_cast<unsigned __int128>(memory[at] | 1) * (memory[(at + i) % half] + i);
    sum = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    memory[half + i] = sum;
  }
}

}  // namespace

LoadGenerator::LoadGenerator(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

LoadGenerator::~LoadGenerator() {
  run(false);
}

void LoadGenerator::run(bool busy) {
  std::unique_lock lock(mutex_);
  busy_ = busy;
  changed_.notify_all();
  changed_.wait(lock, [&] { return working_ == (busy ? threads_.size() : 0); });
  bytes_ = 0;
  since_ = std::chrono::steady_clock::now();
}

double LoadGenerator::rate() const {
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - since_;
  return static_cast<double>(bytes_.load()) / time.count();
}

void LoadGenerator::work(const std::stop_token& stop) {
  std::vector<std::uint64_t> memory(words, 1);  // touched here, so that it lies near this thread
  Random random(reinterpret_cast<std::uintptr_t>(memory.data()));
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return busy_.load(); })) return;
    ++working_;
    changed_.notify_all();
    lock.unlock();
    for (std::uint64_t at = 0; busy_; at = (at + step) % (words / 2)) {
      synthesise(memory, at, random);
      bytes_ += 3 * step * sizeof(std::uint64_t);
    }
    lock.lock();
    --working_;
    changed_.notify_all();
  }
}

}  // namespace pinion::host::ab
