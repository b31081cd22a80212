// prove-cuda INPUT [REPEATS [ARRIVALS…]]: makes the circuit, the witness of partition 0 of the input, a folder as
// `pinion sector fake` makes it, and, on the device, a test key for it; proves in every form, verifies, and prints one
// JSON object: times in milliseconds, medians. ARRIVALS: also with evaluations that arrive in so many ranges, from 1 to
// as many as divide a first pass. A line a step goes to stderr.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <pinion/plugin/error.hpp>
#include <pinion/test/thread_executor.hpp>

#include "device_keys.hpp"
#include "runs.hpp"

using namespace pinion;
using nlohmann::json;

namespace {

class Steps {
 public:
  explicit Steps(json& seconds) : seconds_(seconds) {}
  void done(const char* what) {
    const auto now = std::chrono::steady_clock::now();
    const double took = std::chrono::duration<double>(now - std::exchange(last_, now)).count();
    seconds_[what] = took;
    std::fprintf(stderr, "%-24s %8.2f s\n", what, took);
  }

 private:
  json& seconds_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

json proved(const std::string& input, unsigned repeats, const std::vector<unsigned>& arrivals) {
  const cuda::Found found = cuda::find_devices();
  if (found.devices.empty()) throw std::runtime_error(found.why_none);
  backend_cuda::Device device(found.devices[0], found.devices[0].total_bytes - (std::uint64_t{3} << 30), {});
  device.enter();
  test::ThreadExecutor executor;
  json out{{"device", device.name()}, {"input", input}, {"cores", executor.width()}};
  Steps steps(out["steps_s"]);
  const auto circuit = bench::CircuitUnderTest::read(input, executor);
  steps.done("circuit and witness");
  const auto keys = bench::make_keys(device, *circuit.shape, groth16::ToxicWaste::from_label("toxic"), executor);
  steps.done("keys");
  const testing::FakeCall fake;
  Call call(fake.table());
  const backend_cuda::ShapeResident shape(device, circuit.shape->bytes(), call);
  steps.done("shape to device");
  bench::Runs runs(device, *keys, shape, circuit, executor);
  const auto add = [&](json run) {
    steps.done(run["name"].get<std::string>().c_str());
    std::cerr << run.dump() << "\n";
    out["runs"].push_back(std::move(run));
  };
  add(runs.packed(repeats));
  add(runs.pipelined(10));
  add(runs.evaluations(repeats, true, false));
  add(runs.evaluations(repeats, true, true));
  add(runs.evaluations(repeats, false, false));
  add(runs.plain(repeats));
  for (const unsigned count : arrivals) {
    runs.set_arrivals(count);
    for (const bool pinned : {true, false}) add(runs.evaluations(repeats, pinned, pinned));
  }
  out["rows"] = circuit.shape->num_rows();
  out["proofs"] = {{{"kind", circuit.kind + ", " + std::to_string(circuit.shape->num_rows()) + " rows"},
                    {"verified", true},
                    {"sha256", runs.proof_sha256()}}};
  return out;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 2) {
    std::fprintf(stderr, "usage: prove-cuda INPUT [REPEATS [ARRIVALS...]]\n");
    return 2;
  }
  std::vector<unsigned> numbers;
  for (int i = 2; i < count; ++i) numbers.push_back(static_cast<unsigned>(std::stoul(arguments[i])));
  const unsigned repeats = numbers.empty() ? 5 : numbers[0];
  if (!numbers.empty()) numbers.erase(numbers.begin());
  std::cout << proved(arguments[1], repeats, numbers).dump(2) << "\n";
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "prove-cuda: %s\n", error.what());
  return 1;
}
