#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace pinion::bench {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string out = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    out += two;
    if (i == 3 || i == 5 || i == 7 || i == 9) out += '-';
  }
  return out;
}

std::string driver_text() {
  std::FILE* const file = std::fopen("/sys/module/nvidia/version", "r");
  char text[64] = "";
  if (file != nullptr) {
    if (std::fscanf(file, "%63s", text) != 1) text[0] = 0;
    std::fclose(file);
  }
  int version = 0;
  require(cudaDriverGetVersion(&version), "the driver's version");
  return text[0] != 0 ? text : "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void require(const cuda::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "bench-cuda: %s\n", status.sentence().c_str());
  std::exit(1);
}
void require(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "bench-cuda: %s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

Bench::Bench(std::size_t arena_bytes, std::string only) : only_(std::move(only)), arena_(nullptr, 0) {
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "the device's properties");
  multiprocessors_ = static_cast<unsigned>(properties.multiProcessorCount);
  require(cudaMalloc(&memory_, arena_bytes), "the arena");
  require(cudaStreamCreate(&stream_), "a stream");
  arena_ = cuda::Arena(memory_, arena_bytes);
}
Bench::~Bench() {
  cudaStreamDestroy(stream_);
  cudaFree(memory_);
}

Bench::Time Bench::time(const std::function<cuda::Status()>& f, unsigned repetitions,
                        const std::function<cuda::Status()>& before) {
  cudaEvent_t start = nullptr, stop = nullptr;
  require(cudaEventCreate(&start), "an event");
  require(cudaEventCreate(&stop), "an event");
  std::vector<float> times;
  for (unsigned i = 0; i <= repetitions; ++i) {  // the first one warms up
    if (before) require(before());
    require(cudaEventRecord(start, stream_), "an event");
    require(f());
    require(cudaEventRecord(stop, stream_), "an event");
    require(cudaEventSynchronize(stop), "the timed work");
    float ms = 0;
    require(cudaEventElapsedTime(&ms, start, stop), "a time");
    if (i > 0) times.push_back(ms);
  }
  require(cudaEventDestroy(start), "an event");
  require(cudaEventDestroy(stop), "an event");
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.back() - times.front()};
}

Bench::Time Bench::row(const std::string& name, const std::function<cuda::Status()>& f, nlohmann::json extra,
                       const std::function<cuda::Status()>& before) {
  const Time taken = time(f, 7, before);
  nlohmann::json row = {{"name", name}, {"median_ms", taken.median_ms}, {"spread_ms", taken.spread_ms}};
  if (extra.is_object()) row.update(extra);
  rows_.push_back(row);
  std::printf("%-60s %10.3f ms  +- %.3f  %s\n", name.c_str(), taken.median_ms, taken.spread_ms,
              extra.is_object() ? extra.dump().c_str() : "");
  std::fflush(stdout);
  return taken;
}

void Bench::control(const std::string& name, double value, const std::string& unit) {
  control_[name] = {{"value", value}, {"unit", unit}};
  std::printf("%-60s %10.3f %s\n", name.c_str(), value, unit.c_str());
  std::fflush(stdout);
}

nlohmann::json Bench::record(const std::string& commit) const {
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "the device's properties");
  return {{"device", {{"name", properties.name}, {"uuid", uuid_text(properties.uuid)}}},
          {"driver", driver_text()},
          {"commit", commit},
          {"control", control_},
          {"rows", rows_}};
}

}  // namespace pinion::bench
