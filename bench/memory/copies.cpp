#include <cuda_runtime_api.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "bench.hpp"
#include "slabs.hpp"

namespace bench {
namespace {

void require(cudaError_t code, const char* what) {
  if (code != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}

class DeviceMemory {
 public:
  explicit DeviceMemory(std::uint64_t bytes) { require(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  void* data() const noexcept { return data_; }

 private:
  void* data_ = nullptr;
};

// Every core copies memory to memory, far beyond its caches, until the end of the scope.
class Load {
 public:
  explicit Load(unsigned cores) : begin_(std::chrono::steady_clock::now()) {
    for (unsigned i = 0; i < cores; ++i) threads_.emplace_back([this](const std::stop_token& stop) { copy(stop); });
  }
  // Bytes read plus written by all of it, per second, in GB.
  double rate() const { return static_cast<double>(copied_.load()) * 2 / seconds_since(begin_) / 1e9; }

 private:
  void copy(const std::stop_token& stop) {
    constexpr std::size_t bytes = std::size_t{128} << 20;
    constexpr std::size_t step = std::size_t{4} << 20;
    std::vector<char> from(bytes, 1), to(bytes);
    for (std::size_t at = 0; !stop.stop_requested(); at = (at + step) % bytes) {
      std::memcpy(to.data() + at, from.data() + at, step);
      copied_ += step;
    }
  }
  const std::chrono::steady_clock::time_point begin_;
  std::atomic<std::uint64_t> copied_{0};
  std::vector<std::jthread> threads_;
};

// A copy as a prover does it: queued on a stream, then waited for. By the clock on the wall, because pageable copies
// keep the calling thread busy.
Json copy_rates(const Settings& settings, void* to, const void* from, std::uint64_t bytes) {
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  std::vector<double> rates;
  for (unsigned i = 0; i <= settings.repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
    require(cudaStreamSynchronize(stream), "copy");
    if (i > 0) rates.push_back(static_cast<double>(bytes) / seconds_since(begin) / 1e9);
  }
  require(cudaStreamDestroy(stream), "cudaStreamDestroy");
  return summary(rates);
}

Json both_ways(const Settings& settings, const DeviceMemory& device, const Slab& slab) {
  return {{"to_device_gb_per_s", copy_rates(settings, device.data(), slab.data(), slab.bytes())},
          {"from_device_gb_per_s", copy_rates(settings, slab.data(), device.data(), slab.bytes())}};
}

std::vector<Way> copied_ways(const Settings& settings) {
  std::vector<Way> out;
  for (const Way& way : all_ways(settings))
    if (way.name == "heap" || way.name == "mlock" || way.name == "register" || way.name == "host-alloc")
      out.push_back(way);
  return out;
}

const char* type_name(cudaMemoryType type) {
  switch (type) {
    case cudaMemoryTypeUnregistered:
      return "unregistered";
    case cudaMemoryTypeHost:
      return "host, page-locked";
    case cudaMemoryTypeDevice:
      return "device";
    default:
      return "managed";
  }
}

// A size that no machine has: the driver refuses it. What the runtime of another library then holds as its last error.
Json after_refusal(const Settings& settings) {
  for (const Way& way : all_ways(settings)) {
    if (way.name != "host-alloc") continue;
    Allocator allocator(settings.plugins, way.plugin, way.options);
    try {
      const Slab slab(allocator, 16ULL << 40, settings.placement);
      return {{"refused", false}};
    } catch (const std::exception& error) {
      const cudaError_t pending = cudaPeekAtLastError();
      DeviceMemory works(1 << 20);
      return {
          {"refused", error.what()}, {"pending_error", cudaGetErrorString(pending)}, {"clean", pending == cudaSuccess}};
    }
  }
  return {};
}

}  // namespace

Json measure_copies(const Settings& settings) {
  Json out = Json::array();
  const DeviceMemory device(settings.slab);
  for (const Way& way : copied_ways(settings)) {
    Json line = {{"way", way.name}, {"bytes", settings.slab}};
    try {
      Allocator allocator(settings.plugins, way.plugin, way.options);
      const Slab slab(allocator, settings.slab, settings.placement);
      std::memset(slab.data(), 1, slab.bytes());
      line["idle"] = both_ways(settings, device, slab);
      const Load load(settings.cores);
      line["every_core_copying"] = both_ways(settings, device, slab);
      line["cores_gb_per_s"] = load.rate();
    } catch (const std::exception& error) {
      line["refused"] = error.what();
    }
    out.push_back(std::move(line));
  }
  return out;
}

Json examine_memory(const Settings& settings) {
  Json seen = Json::object();
  for (const Way& way : copied_ways(settings)) {
    try {
      Allocator allocator(settings.plugins, way.plugin, way.options);
      const Slab slab(allocator, 64ULL << 20, settings.placement);
      cudaPointerAttributes attributes{};
      auto* const last = static_cast<char*>(slab.data()) + slab.bytes() - 1;
      require(cudaPointerGetAttributes(&attributes, last), "cudaPointerGetAttributes");
      seen[way.name] = {{"type", type_name(attributes.type)}, {"device_can_read", attributes.devicePointer != nullptr}};
    } catch (const std::exception& error) {
      seen[way.name] = {{"refused", error.what()}};
    }
  }
  return {{"seen_by_another_runtime", seen}, {"after_refusal", after_refusal(settings)}};
}

}  // namespace bench
