// A plugin as a host sees it, for tests that call its tables by hand: loaded from its file, made on a fake host.
#pragma once

#include <dlfcn.h>
#include <pinion/plugin.h>

#include <span>
#include <stdexcept>
#include <string>

#include "fake_host.hpp"

namespace pinion::testing {

// Like a host, never unloads the library.
class LoadedPlugin {
 public:
  // Throws std::runtime_error when `file` is no plugin. What its create() answers is in status() and message(); tables
  // are there only after PINION_OK. `host_width` as in FakeHost. [main]
  explicit LoadedPlugin(const char* file, std::span<const pinion_option> options = {}, std::uint32_t host_width = 0)
      : host_(host_width) {
    void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(::dlerror());
    entry_ = static_cast<const pinion_plugin_entry*>(::dlsym(library, "pinion_plugin"));
    if (entry_ == nullptr) throw std::runtime_error(std::string(file) + " does not export pinion_plugin");
    pinion_error error{};
    error.size = sizeof error;
    status_ = entry_->create(host_.table(), options.data(), static_cast<std::uint32_t>(options.size()), &self_, &error);
    if (status_ != PINION_OK) message_ = error.message;
  }
  LoadedPlugin(const LoadedPlugin&) = delete;
  LoadedPlugin& operator=(const LoadedPlugin&) = delete;
  ~LoadedPlugin() {
    if (status_ == PINION_OK) entry_->destroy(self_);
  }

  // The table of an interface; nullptr: not offered, or not made. [any]
  template <class Table>
  const Table* table(const char* interface) const {
    return status_ == PINION_OK ? static_cast<const Table*>(entry_->query(self_, interface)) : nullptr;
  }
  void* self() const noexcept { return self_; }
  const pinion_plugin_entry& entry() const noexcept { return *entry_; }
  const FakeHost& host() const noexcept { return host_; }
  pinion_status status() const noexcept { return status_; }
  const std::string& message() const noexcept { return message_; }

 private:
  FakeHost host_;
  const pinion_plugin_entry* entry_ = nullptr;
  void* self_ = nullptr;
  pinion_status status_ = PINION_OK;
  std::string message_;
};

}  // namespace pinion::testing
