// One instance of a plugin: what `create` built, until `destroy`. Everything the host calls of a plugin goes through an
// instance and the host's own copies of its tables.
#pragma once

#include <pinion/plugin.h>

#include <atomic>
#include <memory>
#include <pinion/host/plugins/adopt.hpp>
#include <pinion/host/plugins/library.hpp>
#include <span>
#include <utility>

namespace pinion::host {

class Instance {
 public:
  // Gate 5, first half. `host` is lent to the plugin until destroy has returned; `options` only during the call. Fails
  // with the plugin's own code and sentence, or with internal when it broke a rule. [main]
  static Result<std::shared_ptr<Instance>> create(std::shared_ptr<const Library> library,
                                                  std::shared_ptr<const pinion_host> host,
                                                  std::span<const pinion_option> options);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const std::string& id() const noexcept { return library_->info().id; }
  const Library& library() const noexcept { return *library_; }
  void* self() const noexcept { return self_; }

  // Calls f(&err), a function of this plugin that returns a pinion_status, or f(), one that cannot fail; see
  // outcome.hpp. `internal` is a strike.
  // [any]
  template <class F>
  Status call(std::string_view function, F&& f) const {
    return counted(call_plugin(id(), function, std::forward<F>(f)));
  }
  // What a function gave breaks a rule: a strike. [any]
  Status broken_rule(std::string_view function, std::string_view what) const {
    return counted(host::broken_rule(id(), function, what));
  }
  std::uint64_t strikes() const noexcept { return strikes_.load(std::memory_order_relaxed); }

  // Whether the plugin says that it offers this interface. [any]
  bool offers(std::string_view interface_id) const;

  // Gate 3: the host's copy of the interface's table. unsupported: the plugin does not offer it; invalid_config: it
  // says that it does, but what it gives cannot be used. [any]
  template <class Table>
  Result<Table> table() const {
    constexpr const char* interface_id = TableRules<Table>::id;
    const void* theirs = query(interface_id);
    if (theirs != nullptr) return adopt_table<Table>(theirs, id());
    return lacks(interface_id);
  }

 private:
  Instance(std::shared_ptr<const Library> library, std::shared_ptr<const pinion_host> host, void* self)
      : library_(std::move(library)), host_(std::move(host)), self_(self) {}
  const void* query(const char* interface_id) const;
  Status lacks(const char* interface_id) const;
  Status counted(Status status) const {
    if (status.code() == Code::internal) strikes_.fetch_add(1, std::memory_order_relaxed);
    return status;
  }

  std::shared_ptr<const Library> library_;
  std::shared_ptr<const pinion_host> host_;
  void* self_;
  mutable std::atomic<std::uint64_t> strikes_{0};  // a count, not state
};

}  // namespace pinion::host
