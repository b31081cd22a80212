// An allocator plugin as the memory layer wants it: a SlabSource over the plugin's table.
#pragma once

#include <pinion/allocator.h>

#include <map>
#include <memory>
#include <mutex>
#include <pinion/host/memory/slab.hpp>
#include <pinion/host/plugins/instance.hpp>

namespace pinion::host {

class AllocatorPlugin final : public SlabSource {
 public:
  // Gates 3 and 5: the table is complete, and what it describes makes sense. invalid_config otherwise. [main]
  static Result<std::shared_ptr<AllocatorPlugin>> open(std::shared_ptr<Instance> instance);

  // Gate 6: makes the smallest slab where `placement` says, writes every byte, reads it back, gives it up. [main]
  Status self_test(const Placement& placement = {});

  const pinion_allocator_info& facts() const noexcept { return facts_; }
  const std::string& id() const noexcept { return instance_->id(); }

  SlabSourceInfo describe() const override;
  // Besides the plugin's own failures: internal when the slab is missing, not aligned as it described, or memory of a
  // slab that it made before and still lives: two jobs would write over each other. [any]
  Result<void*> allocate(Bytes bytes, const Placement& placement) override;
  Status release(void* slab, Bytes bytes) noexcept override;

 private:
  // Remembers a slab; false: it overlaps one that lives.
  bool remember(void* slab, Bytes bytes);
  Status give_up(void* slab, Bytes bytes) noexcept;
  AllocatorPlugin(std::shared_ptr<Instance> instance, const pinion_allocator& table, const pinion_allocator_info& facts)
      : instance_(std::move(instance)), table_(table), facts_(facts) {}

  std::shared_ptr<Instance> instance_;
  pinion_allocator table_;
  pinion_allocator_info facts_;
  std::mutex mutex_;
  std::map<std::uintptr_t, Bytes> live_;  // slabs, by address
};

}  // namespace pinion::host
