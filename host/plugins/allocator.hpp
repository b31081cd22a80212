// An allocator plugin as the memory layer wants it: a SlabSource over the plugin's table.
#pragma once

#include <pinion/allocator.h>

#include <memory>
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
  // Besides the plugin's own failures: internal when the slab is missing or not aligned as it described. [any]
  Result<void*> allocate(Bytes bytes, const Placement& placement) override;
  Status release(void* slab, Bytes bytes) noexcept override;

 private:
  AllocatorPlugin(std::shared_ptr<Instance> instance, const pinion_allocator& table, const pinion_allocator_info& facts)
      : instance_(std::move(instance)), table_(table), facts_(facts) {}

  std::shared_ptr<Instance> instance_;
  pinion_allocator table_;
  pinion_allocator_info facts_;
};

}  // namespace pinion::host
