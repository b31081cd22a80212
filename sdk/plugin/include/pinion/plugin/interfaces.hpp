// The interfaces of the ABI as C++ base classes. A plugin's class derives from those it offers; PINION_PLUGIN
// (entry.hpp) makes the function tables. Contracts, threads and ownership are those of the C headers; here a failure is
// an exception (error.hpp) and an owned thing is a unique_ptr.
#pragma once

#include <pinion/allocator.h>
#include <pinion/backend.h>
#include <pinion/health.h>
#include <pinion/keys.h>
#include <pinion/proof.h>
#include <pinion/sample.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <pinion/plugin/call.hpp>
#include <pinion/plugin/options.hpp>
#include <span>
#include <string>
#include <string_view>

namespace pinion {

// "pinion.allocator/1" (allocator.h)
class Allocator {
 public:
  virtual ~Allocator() = default;
  virtual pinion_allocator_info describe_allocator() const noexcept = 0;
  virtual void* allocate(std::uint64_t bytes, const pinion_placement& placement) = 0;
  virtual void release(void* slab, std::uint64_t bytes) noexcept = 0;
  // Throws DEVICE_LOST when the system does not get the memory back before the process ends: the slab stays as it is.
  virtual void try_release(void* slab, std::uint64_t bytes) { release(slab, bytes); }
};

// "pinion.resident/1" (resident.h)
class Resident {
 public:
  virtual ~Resident() = default;  // unload
  // Canonical bytes in host memory; empty when it holds another form.
  virtual std::span<const std::uint8_t> view() const noexcept { return {}; }
};
class ResidentTable {
 public:
  virtual ~ResidentTable() = default;
  virtual std::span<const char* const> resident_formats() const noexcept = 0;
  virtual pinion_resident_info describe_resident(const pinion_resource& resource, std::int32_t device) = 0;
  // `buffer` is null when describe_resident asked for none.
  virtual std::unique_ptr<Resident> load_resident(const pinion_resource& resource, std::int32_t device,
                                                  std::span<const std::uint8_t> source, const pinion_buffer* buffer,
                                                  Call& call) = 0;
};

// "pinion.backend/1" (backend.h)
class Operation {
 public:
  // Abandons what was not finished: returns when no host memory is being touched.
  virtual ~Operation() = default;
  // Writes the part and returns its length in bytes. Called at most once.
  virtual std::uint64_t finish(Call& call, std::span<std::uint8_t> out) = 0;
};
class Backend {
 public:
  virtual ~Backend() = default;
  virtual pinion_backend_info describe_backend() const noexcept = 0;
  virtual pinion_device_info device(std::uint32_t i) const = 0;
  virtual pinion_backend_plan plan(std::uint32_t device, std::string_view format,
                                   std::span<const pinion_resource* const> resources) = 0;
  virtual std::unique_ptr<Operation> start(std::uint32_t device, const pinion_job& job,
                                           std::span<const pinion_loaded> residents,
                                           std::span<const pinion_buffer> buffers, Call& call) = 0;
  // For how long the device has computed, as pinion_device_usage says; nothing where that cannot be told.
  virtual std::optional<std::chrono::nanoseconds> busy_time(std::uint32_t) const { return std::nullopt; }
  // How the device knows these bytes of host memory, one PINION_SEEN_; nothing where that cannot be told.
  virtual std::optional<std::uint32_t> memory_seen(std::uint32_t, std::span<const std::byte>) const {
    return std::nullopt;
  }
};

// "pinion.proof/1" (proof.h)
class Session {
 public:
  virtual ~Session() = default;  // close
  virtual const pinion_kind* kind() const noexcept = 0;
  // Arrays in the plan live as long as the session.
  virtual pinion_plan plan(std::string_view format) = 0;
  // The job's payload lives until retire(partition).
  virtual pinion_job synthesize(std::string_view format, std::uint32_t partition,
                                std::span<const pinion_buffer> buffers, std::span<const pinion_loaded> residents,
                                Call& call) = 0;
  virtual void retire(std::uint32_t partition) noexcept = 0;
  // Throws PROOF_INVALID when the part does not verify.
  virtual void verify_part(std::uint32_t partition, std::span<const std::uint8_t> part, Call& call) = 0;
  // Writes the proof and returns its length in bytes.
  virtual std::uint64_t assemble(std::span<const pinion_bytes> parts, std::span<std::uint8_t> out) = 0;
  // Throws PROOF_INVALID when the proof does not verify.
  virtual void verify(std::span<const std::uint8_t> proof, Call& call) = 0;
};
class ResourceSink {
 public:
  explicit ResourceSink(const pinion_resource_sink* sink) : sink_(sink) {}
  void operator()(const pinion_resource& resource) const { sink_->resource(sink_->context, &resource); }

 private:
  const pinion_resource_sink* sink_;
};
class Proof {
 public:
  virtual ~Proof() = default;
  virtual std::span<const pinion_kind* const> kinds() const noexcept = 0;
  virtual std::unique_ptr<Session> open(const pinion_request& request, Call& call) = 0;
  // Names what every request of the kind needs loaded. UNSUPPORTED, which is the default: that is known only from a
  // request.
  virtual void resources_of(const pinion_kind&, const std::string&, std::uint32_t, const ResourceSink&) {
    throw Error(PINION_UNSUPPORTED, "what a kind needs loaded is known only from a request");
  }
};

// "pinion.keys/1" (keys.h)
class FactSink {
 public:
  explicit FactSink(const pinion_fact_sink* sink) : sink_(sink) {}
  void operator()(const std::string& key, const std::string& value) const {
    sink_->fact(sink_->context, key.c_str(), value.c_str());
  }

 private:
  const pinion_fact_sink* sink_;
};
class Keys {
 public:
  virtual ~Keys() = default;
  // `toxic_label` is null when the toxic waste is to be drawn and forgotten.
  virtual void generate_keys(const pinion_kind& kind, const std::string& dir, const char* toxic_label, Call& call,
                             const FactSink& facts) = 0;
  virtual void check_keys(const pinion_kind& kind, const std::string& dir, Call& call, const FactSink& facts) = 0;
  virtual void describe_keys(const std::string& file, const FactSink& facts) = 0;
};

// "pinion.sample/1" (sample.h)
class Samples {
 public:
  virtual ~Samples() = default;
  virtual std::span<const pinion_sample* const> samples() const noexcept = 0;
  // What `fake` can be told of a kind; static.
  virtual std::span<const pinion_option_info* const> fake_options(const pinion_kind&) const noexcept { return {}; }
  virtual void fake(const pinion_kind& kind, std::uint64_t seed, const Options& options, const std::string& dir,
                    Call& call, const FactSink& facts) = 0;
};

// "pinion.health/1" (health.h)
class HealthSink {
 public:
  explicit HealthSink(const pinion_health_sink* sink) : sink_(sink) {}
  void operator()(std::int32_t level, const std::string& what, const std::string& found,
                  const std::string& fix = "") const {
    sink_->finding(sink_->context, level, what.c_str(), found.c_str(), fix.c_str());
  }

 private:
  const pinion_health_sink* sink_;
};
class Health {
 public:
  virtual ~Health() = default;
  virtual void examine(const HealthSink& findings) = 0;
};

}  // namespace pinion
