#include "slabs.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace bench {
namespace {

void log_line(const pinion_host*, std::int32_t level, const char* text) {
  if (level >= PINION_LOG_WARN) std::fprintf(stderr, "%s\n", text);
}
const void* no_service(const pinion_host*, const char*) {
  return nullptr;
}

const pinion_host quiet_host = {sizeof(pinion_host), PINION_ABI_MAJOR, PINION_ABI_MINOR, nullptr, log_line, no_service};

// The types that allocators declare.
pinion_option parsed(const pinion_option_info& info, const std::string& text) {
  pinion_option option{info.key, info.type, 0, 0, nullptr, nullptr};
  if (info.type == PINION_OPTION_TEXT) {
    option.text = text.c_str();
  } else if (info.type == PINION_OPTION_BOOL) {
    option.number = text == "true" ? 1 : 0;
  } else {
    option.number = std::stoll(text);
  }
  return option;
}

}  // namespace

Allocator::Allocator(const std::string& folder, const std::string& id,
                     const std::map<std::string, std::string>& options) {
  void* const library = ::dlopen((folder + "/" + id + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  entry_ = static_cast<const pinion_plugin_entry*>(::dlsym(library, "pinion_plugin"));
  if (entry_ == nullptr) throw std::runtime_error(id + " is no plugin");
  std::vector<std::string> texts(entry_->info->option_count);
  std::vector<pinion_option> values;
  for (std::uint32_t i = 0; i < entry_->info->option_count; ++i) {
    const pinion_option_info& info = *entry_->info->options[i];
    const auto given = options.find(info.key);
    texts[i] = given == options.end() ? info.default_value : given->second;
    values.push_back(parsed(info, texts[i]));
  }
  pinion_error err{};
  err.size = sizeof err;
  if (entry_->create(&quiet_host, values.data(), entry_->info->option_count, &self_, &err) != PINION_OK)
    throw std::runtime_error(err.message);
  table_ = static_cast<const pinion_allocator*>(entry_->query(self_, PINION_ALLOCATOR));
}

Allocator::~Allocator() {
  entry_->destroy(self_);
}

void* Allocator::allocate(std::uint64_t bytes, const pinion_placement& placement) {
  pinion_error err{};
  err.size = sizeof err;
  void* slab = nullptr;
  if (table_->allocate(self_, bytes, &placement, &slab, &err) != PINION_OK) throw std::runtime_error(err.message);
  return slab;
}

}  // namespace bench
