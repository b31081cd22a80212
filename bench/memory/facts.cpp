#include <cuda_runtime_api.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <fstream>
#include <thread>

#include "bench.hpp"

namespace bench {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string field(const std::string& path, const std::string& name) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const auto from = line.find_first_not_of(" \t:", name.size());
    return from == std::string::npos ? "" : line.substr(from);
  }
  return "";
}

}  // namespace

Json machine_facts() {
  utsname system{};
  ::uname(&system);
  rlimit locked{};
  ::getrlimit(RLIMIT_MEMLOCK, &locked);
  Json facts = {{"cpu", field("/proc/cpuinfo", "model name")},
                {"cores", std::thread::hardware_concurrency()},
                {"memory", field("/proc/meminfo", "MemTotal")},
                {"kernel", std::string(system.release)},
                {"transparent_huge_pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled")},
                {"numa_nodes", first_line("/sys/devices/system/node/online")},
                {"memlock_bytes", locked.rlim_cur == RLIM_INFINITY ? Json("unlimited") : Json(locked.rlim_cur)}};
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return facts;
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  facts["device"] = std::string(properties.name);
  facts["devices"] = devices;
  facts["cuda_of_driver"] = driver;
  facts["cuda_of_runtime"] = runtime;
  facts["driver"] = first_line("/proc/driver/nvidia/version");
  return facts;
}

}  // namespace bench
