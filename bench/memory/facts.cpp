#include <cuda_runtime_api.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <pinion/host/base/proc_text.hpp>
#include <thread>

#include "bench.hpp"

namespace bench {

using pinion::host::first_line;

Json machine_facts() {
  utsname system{};
  ::uname(&system);
  rlimit locked{};
  ::getrlimit(RLIMIT_MEMLOCK, &locked);
  const auto named = [](const char* file, const char* name) {
    return std::string(pinion::host::field(pinion::host::read_small_file(file).value_or(""), name).value_or(""));
  };
  Json facts = {{"cpu", named("/proc/cpuinfo", "model name")},
                {"cores", std::thread::hardware_concurrency()},
                {"memory", named("/proc/meminfo", "MemTotal")},
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
