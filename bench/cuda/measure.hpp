// Timing on one device, and the record of it: medians over repetitions between events, after a warm-up; written as the
// JSON that bench/results holds and docs are made from.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "arena.hpp"
#include "status.hpp"

namespace pinion::bench {

// Stops the program with the sentence.
void require(const cuda::Status& status);
void require(cudaError_t code, const char* what);

class Bench {
 public:
  // Takes `arena_bytes` of the current device.
  Bench(std::size_t arena_bytes, std::string only);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  cuda::Arena& arena() { return arena_; }
  cuda::Stream stream() const { return stream_; }
  unsigned multiprocessors() const { return multiprocessors_; }
  // Whether rows of that name are asked for (--only, a part of the name).
  bool wants(const std::string& name) const { return name.find(only_) != std::string::npos; }

  struct Time {
    double median_ms, spread_ms;  // spread: maximum - minimum
  };
  // `f` enqueues on stream(), or returns when done; `before` (not timed) sets up each repetition.
  Time time(const std::function<cuda::Status()>& f, unsigned repetitions = 7,
            const std::function<cuda::Status()>& before = {});
  // Times f and keeps a row. `extra` is merged into it.
  Time row(const std::string& name, const std::function<cuda::Status()>& f, nlohmann::json extra = {},
           const std::function<cuda::Status()>& before = {});
  void control(const std::string& name, double value, const std::string& unit);
  // {device, driver, commit, control, rows}
  nlohmann::json record(const std::string& commit) const;

 private:
  std::string only_;
  void* memory_ = nullptr;
  cuda::Arena arena_;
  cuda::Stream stream_ = nullptr;
  unsigned multiprocessors_ = 0;
  nlohmann::json rows_ = nlohmann::json::array(), control_ = nlohmann::json::object();
};

void bench_arithmetic(Bench& bench);
void bench_copies(Bench& bench);
void bench_transforms(Bench& bench);
void bench_msm(Bench& bench);
void bench_partition(Bench& bench);

}  // namespace pinion::bench
