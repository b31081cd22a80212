// A backend plugin as the pipeline wants it: what it can do, what a job costs, and operations as values that abandon
// themselves when dropped.
#pragma once

#include <pinion/backend.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/memory/slab.hpp>
#include <pinion/host/plugins/instance.hpp>
#include <span>
#include <string>
#include <vector>

namespace pinion::host {

struct DeviceFacts {
  std::string name;     // "NVIDIA H200"
  std::string address;  // PCI; "" for a CPU
  std::int32_t numa_node = -1;
  std::uint32_t starts_in_flight = 1;
  std::optional<std::array<std::uint8_t, 16>> uuid;
  Bytes memory;            // of its own space; 0: it works in host memory
  std::string ineligible;  // "" or why it cannot be used

  Placement placement() const { return {numa_node, uuid}; }
};

struct BufferNeed {
  Bytes bytes;
  SlabKinds kinds;
  std::uint32_t free_after = 0;  // PINION_FREE_AFTER_
  std::string purpose;
};

// Owned copies of the buffer needs of a plan. internal: a need breaks a rule. [any]
Result<std::vector<BufferNeed>> read_needs(const Instance& plugin, const pinion_buffer_need* needs,
                                           std::uint32_t count);

// No part of a proof is larger.
inline constexpr std::uint64_t most_part_bytes = std::uint64_t{1} << 20;

struct BackendPlan {
  std::vector<BufferNeed> needs;
  Bytes host_reserve, device_bytes;
  std::uint64_t part_bytes = 0;
};

class BackendPlugin;

// Work in progress on a device. Dropping it abandons the work.
class BackendOperation {
 public:
  BackendOperation() noexcept = default;
  BackendOperation(BackendOperation&& other) noexcept { swap(other); }
  BackendOperation& operator=(BackendOperation&& other) noexcept {
    swap(other);
    return *this;
  }
  ~BackendOperation();

  // Waits for the rest and returns the part; at most once. [worker]
  Result<std::vector<std::uint8_t>> finish(const pinion_call* call);

 private:
  friend class BackendPlugin;
  BackendOperation(std::shared_ptr<BackendPlugin> backend, void* op, std::uint64_t part_bytes)
      : backend_(std::move(backend)), op_(op), part_bytes_(part_bytes) {}
  void swap(BackendOperation& other) noexcept;

  std::shared_ptr<BackendPlugin> backend_;
  void* op_ = nullptr;
  std::uint64_t part_bytes_ = 0;
};

class BackendPlugin : public std::enable_shared_from_this<BackendPlugin> {
 public:
  // Gates 3 and 5. invalid_config otherwise. A backend without devices opens; see why_none. [main]
  static Result<std::shared_ptr<BackendPlugin>> open(std::shared_ptr<Instance> instance);

  const std::string& id() const noexcept { return instance_->id(); }
  const std::vector<std::string>& formats() const noexcept { return formats_; }
  SlabKinds dma_kinds() const noexcept { return dma_kinds_; }
  SlabKinds accepted_kinds() const noexcept { return accepted_kinds_; }
  const std::vector<DeviceFacts>& devices() const noexcept { return devices_; }
  const std::string& why_none() const noexcept { return why_none_; }
  bool lists(std::string_view format) const;

  // The cost of a job besides the proof's own plan. unsupported: not this format or these resources. [worker]
  Result<BackendPlan> plan(std::uint32_t device, const std::string& format,
                           std::span<const pinion_resource* const> resources);

  // Returns once what is free after start is no longer read. `part_bytes`: of its plan. [worker]
  Result<BackendOperation> start(std::uint32_t device, const pinion_job& job, std::span<const pinion_loaded> residents,
                                 std::span<const pinion_buffer> buffers, const pinion_call* call,
                                 std::uint64_t part_bytes);

  // For how long a device has computed since this was opened; nothing when the backend does not say. [any]
  std::optional<std::chrono::nanoseconds> busy_time(std::uint32_t device) const;
  // How a device knows host memory, at least one byte of it; unknown when the backend does not say or fails. [any]
  SeenAs memory_seen(std::uint32_t device, const void* at, Bytes bytes) const;

 private:
  friend class BackendOperation;
  BackendPlugin(std::shared_ptr<Instance> instance, const pinion_backend& table)
      : instance_(std::move(instance)), table_(table) {}
  Status read_facts();
  Result<DeviceFacts> read_device(std::uint32_t i);

  std::shared_ptr<Instance> instance_;
  pinion_backend table_;
  std::vector<std::string> formats_;
  SlabKinds dma_kinds_, accepted_kinds_;
  std::vector<DeviceFacts> devices_;
  std::string why_none_;
};

}  // namespace pinion::host
