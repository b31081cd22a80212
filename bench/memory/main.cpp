// bench-memory: slabs and copies. Without a device only what needs none.
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "bench.hpp"

namespace {

constexpr const char* usage =
    "usage: bench-memory [--plugins DIR] [--slab BYTES] [--slabs N] [--repeats N] [--driver FILE] [--commit ID] "
    "[--out FILE.json]\n";

// About one vector of a 32 GiB partition where that is little of the machine's memory.
std::uint64_t default_slab() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * 4096 >= 64ULL << 30 ? 4ULL << 30 : 256ULL << 20;
}

std::string own_folder(const char* program) {
  const std::string path(program);
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

void find_device(bench::Settings& settings) {
  int devices = 0;
  settings.placement.size = sizeof settings.placement;
  settings.placement.numa_node = -1;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0 || cudaSetDevice(0) != cudaSuccess) return;
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return;
  settings.device = true;
  settings.placement.has_device = 1;
  std::memcpy(settings.placement.device_uuid, properties.uuid.bytes, sizeof settings.placement.device_uuid);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Settings settings;
  settings.plugins = own_folder(argv[0]) + "/../lib/pinion/plugins";
  settings.slab = default_slab();
  settings.cores = std::max(1u, std::thread::hardware_concurrency());
  std::string out, commit = "unknown";
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    if (i + 1 == argc) return std::fputs(usage, stderr), 2;
    const std::string value = argv[i + 1];
    if (key == "--plugins")
      settings.plugins = value;
    else if (key == "--slab")
      settings.slab = std::stoull(value);
    else if (key == "--slabs")
      settings.slabs = static_cast<unsigned>(std::stoul(value));
    else if (key == "--repeats")
      settings.repeats = static_cast<unsigned>(std::stoul(value));
    else if (key == "--driver")
      settings.driver = value;
    else if (key == "--commit")
      commit = value;
    else if (key == "--out")
      out = value;
    else
      return std::fputs(usage, stderr), 2;
  }
  find_device(settings);
  bench::Json document = {{"bench", "memory"},
                          {"commit", commit},
                          {"machine", bench::machine_facts()},
                          {"slab_bytes", settings.slab},
                          {"slabs", settings.slabs}};
  const auto save = [&] {  // after each part, so that what is measured is kept whatever comes next
    if (!out.empty()) std::ofstream(out) << document.dump(1) << '\n';
  };
  if (settings.device) {
    document["memory"] = bench::examine_memory(settings);
    save();
    document["copies"] = bench::measure_copies(settings);
    save();
  }
  document["strategies"] = bench::measure_strategies(settings);
  save();
  std::puts(document.dump(1).c_str());
  return 0;
}
