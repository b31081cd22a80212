// record-shape FAMILY SIZE [FILE]: records a kind's circuit as a prover does, and prints what its shape takes in
// memory, on a device without C and, written to FILE, on disk; how long it took, and the most memory the process has
// had.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <pinion/bench_case/case.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/test/thread_executor.hpp>
#include <string_view>

using namespace pinion;

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int record(std::string_view family, std::string_view size, const char* file) {
  test::ThreadExecutor executor;
  const filecoin::ProofKind kind = bench::find_kind(family, size);
  const auto start = std::chrono::steady_clock::now();
  const groth16::OwnedShape shape = groth16::build(kind.record(executor), executor);
  const double recorded = seconds_since(start);
  const auto counts = shape->counts();
  const auto bytes = shape->bytes();
  fmt::print("{}: {} rows, {} inputs, {} aux; {} terms, {} patterns of coefficients\n", kind.id(), counts.rows,
             counts.inputs, counts.aux, counts.terms[0] + counts.terms[1] + counts.terms[2], counts.patterns);
  fmt::print("shape        {:>14} bytes, {} without C\n", bytes.size(), groth16::ShapeLayout(counts).bytes_without_c);
  if (file != nullptr) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw std::runtime_error(std::string(file) + ": cannot be written");
    fmt::print("on disk      {:>14} bytes\n", std::filesystem::file_size(file));
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("recorded in  {:>14.2f} s\npeak memory  {:>14} bytes\n", recorded, usage.ru_maxrss * 1024);
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count == 3 || count == 4) return record(arguments[1], arguments[2], count == 4 ? arguments[3] : nullptr);
  fmt::print(stderr, "usage: record-shape FAMILY SIZE [FILE]\n");
  return 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "record-shape: {}\n", error.what());
  return 1;
}
