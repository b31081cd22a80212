// bench-cuda: the component figures of backend-cuda on the first visible device.
#include <cstdio>
#include <cstring>
#include <fstream>

#include "measure.hpp"

namespace {

constexpr const char* usage =
    "usage: bench-cuda [--out FILE.json] [--commit ID] [--only PART-OF-A-NAME] [--arena GIB]\n"
    "example: bench-cuda --only 'NTT 2^27'\n";

}  // namespace

int main(int argc, char** argv) {
  std::string out, commit = "unknown", only;
  std::size_t arena_gib = 100;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (i + 1 == argc || (key != "--out" && key != "--commit" && key != "--only" && key != "--arena")) {
      std::fputs(usage, stderr);
      return key == "--help" ? 0 : 2;
    }
    const char* const value = argv[++i];
    if (key == "--out") out = value;
    if (key == "--commit") commit = value;
    if (key == "--only") only = value;
    if (key == "--arena") arena_gib = std::strtoull(value, nullptr, 10);
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("bench-cuda: skipped: no CUDA device");
    return 0;
  }
  pinion::bench::Bench bench(arena_gib << 30, only);
  bench_arithmetic(bench);
  bench_copies(bench);
  bench_transforms(bench);
  bench_msm(bench);
  bench_partition(bench);
  if (out.empty()) return 0;
  std::ofstream file(out);
  file << bench.record(commit).dump(1) << '\n';
  if (!file.good()) {
    std::fprintf(stderr, "bench-cuda: %s could not be written\n", out.c_str());
    return 1;
  }
  return 0;
}
