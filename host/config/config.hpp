// The configuration as plain structs, each value with its origin; one struct per table of pinion.toml. Reading it is
// load.hpp's business, the machine it runs on is machine.hpp's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <pinion/host/config/option.hpp>
#include <string>
#include <vector>

namespace pinion::host {

template <class T>
struct Setting {
  T value{};
  Origin origin;

  const T& operator*() const noexcept { return value; }
  const T* operator->() const noexcept { return &value; }
};

// Nothing: "auto", the host decides.
template <class T>
using Auto = std::optional<T>;

struct DaemonConfig {
  Setting<std::string> listen;         // "unix:///path" or "host:port"
  Setting<std::string> status_listen;  // the same; "" for none
  Setting<std::string> tls_cert;
  Setting<std::string> tls_key;
  Setting<std::string> token;  // secret
  Setting<bool> allow_remote_plaintext;
  Setting<std::string> status_cors;
  Setting<Duration> grace_period;
  Setting<Bytes> max_message;
  Setting<Bytes> receive_budget;
};

struct MemoryConfig {
  Setting<Auto<Bytes>> budget;
  Setting<Bytes> safety_margin;
  Setting<Duration> start_wait;
  Setting<Duration> evict_min_idle;
  Setting<double> max_waste;
  Setting<Auto<Bytes>> pinned_max;
  Setting<Bytes> warm;
  Setting<Bytes> warm_slab;
  Setting<Auto<Bytes>> critical_reserve;
};

struct PluginsConfig {
  Setting<std::string> allocator;
  Setting<std::string> fallback;  // "none" or the id of an allocator
  Setting<std::vector<std::string>> backends;
  Setting<std::vector<std::string>> proofs;
  Setting<std::vector<std::string>> path;
  Setting<bool> require_dma;
  Setting<bool> self_test;
};

struct PipelineConfig {
  Setting<Auto<std::uint32_t>> threads;
  Setting<Auto<std::uint32_t>> max_synthesis;
  Setting<std::string> job_format;  // "auto", "witness", "evaluations"
  Setting<std::uint32_t> retries;
  Setting<std::uint32_t> max_pending;
  Setting<std::string> on_disconnect;  // "keep", "cancel"
  Setting<Duration> stall_warning;
};

struct BackendConfig {
  Setting<std::string> on_device_fatal;  // "quarantine", "exit"
};

struct ParamsConfig {
  Setting<std::string> dir;
  Setting<bool> verify_digests;
  Setting<bool> allow_test_keys;
  Setting<bool> strict;
  Setting<std::vector<std::string>> preload;
};

struct JournalConfig {
  Setting<std::string> path;  // "" for none
  Setting<Bytes> max_bytes;
  Setting<Duration> result_ttl;
};

// [plugin.ID], unread: only the plugin knows its options. See plugin_options.hpp.
struct PluginTable {
  Origin origin;  // of the table's head
  std::map<std::string, RawValue> values;
};

struct Config {
  DaemonConfig daemon;
  MemoryConfig memory;
  PluginsConfig plugins;
  PipelineConfig pipeline;
  BackendConfig backend;
  ParamsConfig params;
  JournalConfig journal;
  std::map<std::string, PluginTable> plugin_tables;  // by plugin id
};

}  // namespace pinion::host
