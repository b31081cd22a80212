// An allocator plugin without a host: opened by file, configured by key and text. For measuring; the host's gates are
// not here.
#pragma once

#include <pinion/allocator.h>
#include <pinion/plugin.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace bench {

class Allocator {
 public:
  // `options` replace defaults of [plugin.ID]. Throws std::runtime_error with the plugin's own words.
  Allocator(const std::string& folder, const std::string& id, const std::map<std::string, std::string>& options);
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  // Throws std::runtime_error.
  void* allocate(std::uint64_t bytes, const pinion_placement& placement);
  void release(void* slab, std::uint64_t bytes) noexcept { table_->release(self_, slab, bytes); }

 private:
  const pinion_plugin_entry* entry_ = nullptr;
  const pinion_allocator* table_ = nullptr;
  void* self_ = nullptr;
};

// One slab, given up at the end.
class Slab {
 public:
  Slab(Allocator& from, std::uint64_t bytes, const pinion_placement& placement)
      : from_(&from), bytes_(bytes), data_(from.allocate(bytes, placement)) {}
  ~Slab() { from_->release(data_, bytes_); }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  void* data() const noexcept { return data_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  Allocator* from_;
  std::uint64_t bytes_;
  void* data_;
};

}  // namespace bench
