#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <pinion/host/plugins/allocator.hpp>

namespace pinion::host {
namespace {

constexpr std::uint64_t least_page = 4096;

// Gate 5 for an allocator: numbers the pool can work with.
Status check_facts(const pinion_allocator_info& facts, const std::string& plugin) {
  const auto refuse = [&](std::string what) {
    return Status(Code::invalid_config, fmt::format("{} describes itself wrongly: {}", plugin, what));
  };
  if (facts.kind != PINION_MEMORY_PAGEABLE && facts.kind != PINION_MEMORY_PINNED)
    return refuse(fmt::format("kind is {}, expected {} (pageable) or {} (pinned)", facts.kind, PINION_MEMORY_PAGEABLE,
                              PINION_MEMORY_PINNED));
  for (const auto& [name, value] : {std::pair{"granularity", facts.granularity}, {"alignment", facts.alignment}})
    if (!std::has_single_bit(value) || value < least_page)
      return refuse(fmt::format("{} is {}, expected a power of two of at least {}", name, value, least_page));
  if (facts.max_slab != 0 && facts.max_slab < facts.granularity)
    return refuse(fmt::format("max_slab {} is below granularity {}", facts.max_slab, facts.granularity));
  return {};
}

}  // namespace

Result<std::shared_ptr<AllocatorPlugin>> AllocatorPlugin::open(std::shared_ptr<Instance> instance) {
  auto table = instance->table<pinion_allocator>();
  if (!table) return table.status();
  pinion_allocator_info facts{};
  facts.size = sizeof facts;
  if (auto status = instance->call("describe", [&] { table->describe(instance->self(), &facts); }); !status.ok())
    return status;
  if (Status status = check_facts(facts, instance->id()); !status.ok()) return status;
  return std::shared_ptr<AllocatorPlugin>(new AllocatorPlugin(std::move(instance), *table, facts));
}

Status AllocatorPlugin::self_test(const Placement& placement) {
  const Bytes bytes(facts_.granularity);
  auto slab = allocate(bytes, placement);
  if (!slab) return slab.status().within("self-test");
  auto* const data = static_cast<unsigned char*>(*slab);
  Status status;
  for (const unsigned char pattern : {std::uint8_t{0xa5}, std::uint8_t{0x5a}}) {
    std::memset(data, pattern, bytes.count());
    // Memory that the compiler cannot see into, so that the bytes are really read back.
    asm volatile("" : : "r"(data) : "memory");
    const auto held = std::count(data, data + bytes.count(), pattern);
    if (static_cast<std::uint64_t>(held) != bytes.count())
      status = instance_->broken_rule(
          "allocate", fmt::format("a slab of {} bytes kept only {} of those written", bytes.count(), held));
  }
  if (const Status released = release(*slab, bytes); status.ok()) return released;
  return status;
}

SlabSourceInfo AllocatorPlugin::describe() const {
  return {id(), static_cast<SlabKind>(facts_.kind), Bytes(facts_.granularity), Bytes(facts_.max_slab)};
}

Result<void*> AllocatorPlugin::allocate(Bytes bytes, const Placement& placement) {
  pinion_placement wish{};
  wish.size = sizeof wish;
  wish.numa_node = placement.numa_node;
  if (placement.device_uuid) {
    wish.has_device = 1;
    std::copy(placement.device_uuid->begin(), placement.device_uuid->end(), wish.device_uuid);
  }
  void* slab = nullptr;
  const Status status = instance_->call("allocate", [&](pinion_error* err) {
    return table_.allocate(instance_->self(), bytes.count(), &wish, &slab, err);
  });
  if (!status.ok()) return status;
  if (slab == nullptr) return instance_->broken_rule("allocate", "it succeeded but gave no slab");
  if (reinterpret_cast<std::uintptr_t>(slab) % facts_.alignment != 0) {
    Status misaligned = instance_->broken_rule(
        "allocate", fmt::format("slab {} is not aligned to the {} bytes it described", slab, facts_.alignment));
    (void)give_up(slab, bytes);
    return misaligned;
  }
  if (!remember(slab, bytes))  // it is not given back: it belongs to who had it first
    return instance_->broken_rule("allocate",
                                  fmt::format("slab {} of {} bytes overlaps one that lives", slab, bytes.count()));
  return slab;
}

bool AllocatorPlugin::remember(void* slab, Bytes bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(slab);
  const std::lock_guard lock(mutex_);
  const auto after = live_.lower_bound(begin);
  if (after != live_.end() && after->first - begin < bytes.count()) return false;
  if (after != live_.begin() && begin - std::prev(after)->first < std::prev(after)->second.count()) return false;
  live_.emplace_hint(after, begin, bytes);
  return true;
}

Status AllocatorPlugin::release(void* slab, Bytes bytes) noexcept {
  decltype(live_)::node_type ended;  // before: then the OS may give the address to another
  {
    const std::lock_guard lock(mutex_);
    ended = live_.extract(reinterpret_cast<std::uintptr_t>(slab));
  }
  Status status = give_up(slab, bytes);
  if (!status.ok()) {
    const std::lock_guard lock(mutex_);
    live_.insert(std::move(ended));
  }
  return status;
}

Status AllocatorPlugin::give_up(void* slab, Bytes bytes) noexcept {
  void* const self = instance_->self();
  if (table_.try_release == nullptr)  // made for ABI 0.1, or never fails
    return instance_->call("release", [&] { table_.release(self, slab, bytes.count()); });
  return instance_->call("try_release",
                         [&](pinion_error* err) { return table_.try_release(self, slab, bytes.count(), err); });
}

}  // namespace pinion::host
