// Catch2's main for tests that need a device; without one they are skipped, and say so.
#include <cuda_runtime_api.h>

#include <cstdio>

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

int main(int argc, char** argv) {
  int devices = 0;
  const cudaError_t code = cudaGetDeviceCount(&devices);
  if (code != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device (%s)\n", cudaGetErrorString(code));
    return 0;
  }
  return Catch::Session().run(argc, argv);
}
