#include "schema.hpp"

#include <algorithm>
#include <cctype>

namespace pinion::host {
namespace {

// Between the types of settings and the types of parsed values.
template <class T>
struct Stored {
  static T from(const std::optional<OptionValue>& value) { return std::get<T>(value.value()); }
  static std::optional<OptionValue> to(const T& value) { return OptionValue(value); }
};
template <>
struct Stored<std::uint32_t> {  // the rule keeps it in range
  static std::uint32_t from(const std::optional<OptionValue>& value) {
    return static_cast<std::uint32_t>(std::get<std::int64_t>(value.value()));
  }
  static std::optional<OptionValue> to(std::uint32_t value) { return OptionValue(std::int64_t{value}); }
};
template <class T>
struct Stored<Auto<T>> {
  static Auto<T> from(const std::optional<OptionValue>& value) {
    return value ? Auto<T>(Stored<T>::from(value)) : std::nullopt;
  }
  static std::optional<OptionValue> to(const Auto<T>& value) {
    return value ? Stored<T>::to(*value) : std::optional<OptionValue>();
  }
};

template <class T>
OptionRule rule_of() {
  OptionRule rule;
  if constexpr (std::is_same_v<T, bool>) rule.type = OptionType::boolean;
  if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, Auto<std::uint32_t>>) {
    rule.type = OptionType::integer;
    rule.least = 0;
    rule.most = UINT32_MAX;
  }
  if constexpr (std::is_same_v<T, double>) {
    rule.type = OptionType::ratio;
    rule.least = 0;
    rule.most = 1;
  }
  if constexpr (std::is_same_v<T, Bytes> || std::is_same_v<T, Auto<Bytes>>) rule.type = OptionType::size;
  if constexpr (std::is_same_v<T, Duration>) rule.type = OptionType::duration;
  if constexpr (std::is_same_v<T, std::vector<std::string>>) rule.type = OptionType::list;
  return rule;
}

// One table's keys, each named once together with the member that holds it.
template <class Table>
class TableKeys {
 public:
  TableKeys(std::vector<KeySpec>& keys, std::string name, Table Config::*table)
      : keys_(keys), name_(std::move(name)), table_(table) {}

  template <class T>
  KeySpec& key(std::string key, Setting<T> Table::*setting, std::string default_text, std::string help) {
    KeySpec spec{
        name_, std::move(key), rule_of<T>(), std::move(default_text), std::move(help), false, false, false, {}, {}, {}};
    spec.may_be_auto = std::is_same_v<T, Auto<Bytes>> || std::is_same_v<T, Auto<std::uint32_t>>;
    const auto table = table_;
    spec.store = [table, setting](Config& config, const std::optional<OptionValue>& value, const Origin& origin) {
      (config.*table).*setting = Setting<T>{Stored<T>::from(value), origin};
    };
    spec.value = [table, setting](const Config& config) { return Stored<T>::to(((config.*table).*setting).value); };
    spec.origin = [table, setting](const Config& config) -> const Origin& { return ((config.*table).*setting).origin; };
    keys_.push_back(std::move(spec));
    return keys_.back();
  }

  KeySpec& one_of(std::string name, Setting<std::string> Table::*setting, std::vector<std::string> choices,
                  std::string help) {
    KeySpec& spec = key(std::move(name), setting, choices.front(), std::move(help));
    spec.rule.choices = std::move(choices);
    return spec;
  }

 private:
  std::vector<KeySpec>& keys_;
  const std::string name_;
  Table Config::*const table_;
};

void add_daemon(std::vector<KeySpec>& keys) {
  TableKeys<DaemonConfig> t(keys, "daemon", &Config::daemon);
  t.key("listen", &DaemonConfig::listen, "unix:///run/pinion/pinion.sock",
        "where clients connect: unix:///PATH or HOST:PORT");
  t.key("status_listen", &DaemonConfig::status_listen, "127.0.0.1:9821",
        "HTTP: dashboard, /status, /metrics, /live, /ready; empty for none");
  t.key("tls_cert", &DaemonConfig::tls_cert, "", "certificate file; with tls_key and token required off loopback");
  t.key("tls_key", &DaemonConfig::tls_key, "", "private key file of tls_cert");
  t.key("token", &DaemonConfig::token, "", "bearer token that clients must show").secret = true;
  t.key("allow_remote_plaintext", &DaemonConfig::allow_remote_plaintext, "false",
        "listen off loopback without TLS and token");
  t.key("status_cors", &DaemonConfig::status_cors, "", "value of the cross-origin header; none unless set");
  t.key("grace_period", &DaemonConfig::grace_period, "10m",
        "how long running partitions may finish after a stop signal");
  t.key("max_message", &DaemonConfig::max_message, "256MiB", "largest request accepted");
  t.key("receive_budget", &DaemonConfig::receive_budget, "1GiB", "memory for requests being received, all together");
}

void add_memory(std::vector<KeySpec>& keys) {
  TableKeys<MemoryConfig> t(keys, "memory", &Config::memory);
  t.key("budget", &MemoryConfig::budget, "auto",
        "host memory for everything; auto: what the machine allows minus safety_margin");
  t.key("safety_margin", &MemoryConfig::safety_margin, "5GiB", "kept free of the machine's or control group's limit");
  t.key("start_wait", &MemoryConfig::start_wait, "2m",
        "how long a start waits while other processes are giving memory back");
  t.key("evict_min_idle", &MemoryConfig::evict_min_idle, "5m",
        "parameters used more recently are not evicted while others work");
  t.key("max_waste", &MemoryConfig::max_waste, "0.25", "share of a reused slab that may lie idle");
  t.key("pinned_max", &MemoryConfig::pinned_max, "auto", "most of the budget that may be page-locked; auto: all of it");
  t.key("warm", &MemoryConfig::warm, "0", "bytes of slabs made at start, in the background");
  t.key("warm_slab", &MemoryConfig::warm_slab, "4GiB",
        "size of each of them; a slab serves what needs at most max_waste less");
  t.key(
      "critical_reserve", &MemoryConfig::critical_reserve, "auto",
      "part of the budget that only critical jobs may use; auto: a sixteenth, at most 1GiB, where a kind is critical");
}

void add_plugins(std::vector<KeySpec>& keys) {
  TableKeys<PluginsConfig> t(keys, "plugins", &Config::plugins);
  t.key("allocator", &PluginsConfig::allocator, "", "where big host memory comes from").from_machine = true;
  t.key("fallback", &PluginsConfig::fallback, "none",
        "allocator used when the first refuses memory, or cannot work on this machine; or none");
  t.key("backends", &PluginsConfig::backends, "", "what proves, tried in order").from_machine = true;
  t.key("proofs", &PluginsConfig::proofs, "", "which proofs exist").from_machine = true;
  t.key("path", &PluginsConfig::path, "", "extra folders to search for plugins");
  t.key("require_dma", &PluginsConfig::require_dma, "false",
        "refuse to start when buffers cannot be read by the device directly");
  t.key("self_test", &PluginsConfig::self_test, "true", "try each plugin on a small known job at start");
}

void add_pipeline(std::vector<KeySpec>& keys) {
  TableKeys<PipelineConfig> t(keys, "pipeline", &Config::pipeline);
  t.key("threads", &PipelineConfig::threads, "auto", "CPU threads; auto: what affinity and control group allow")
      .rule.least = 1;
  t.key("max_synthesis", &PipelineConfig::max_synthesis, "auto", "partitions synthesised at once").rule.least = 1;
  t.one_of("job_format", &PipelineConfig::job_format, {"auto", "witness", "evaluations"}, "what backends are fed with");
  t.key("retries", &PipelineConfig::retries, "1", "more tries for a partition that fails").rule.most = 100;
  t.key("max_pending", &PipelineConfig::max_pending, "64", "jobs queued at most; beyond, clients are told to wait")
      .rule.least = 1;
  t.one_of("on_disconnect", &PipelineConfig::on_disconnect, {"keep", "cancel"},
           "what becomes of a job whose client has gone");
  t.key("stall_warning", &PipelineConfig::stall_warning, "10m",
        "a stage that shows no progress for so long is reported");
}

void add_others(std::vector<KeySpec>& keys) {
  TableKeys<BackendConfig> backend(keys, "backend", &Config::backend);
  backend.one_of("on_device_fatal", &BackendConfig::on_device_fatal, {"quarantine", "exit"}, "when a device is lost");
  TableKeys<ParamsConfig> params(keys, "params", &Config::params);
  params.key("dir", &ParamsConfig::dir, "/var/tmp/filecoin-proof-parameters", "folder of the parameter files");
  params.key("verify_digests", &ParamsConfig::verify_digests, "true",
             "compare key files with their digests as they are loaded; false trusts the disk");
  params.key("allow_test_keys", &ParamsConfig::allow_test_keys, "false",
             "serve with keys that are not the published ones");
  params.key("strict", &ParamsConfig::strict, "false", "stop when a file is missing, rather than disable its kind");
  params.key("preload", &ParamsConfig::preload, "", "kinds whose circuit and parameters are loaded at start");
  TableKeys<JournalConfig> journal(keys, "journal", &Config::journal);
  journal.key("path", &JournalConfig::path, "/var/lib/pinion/journal.db",
              "where jobs survive a restart; empty for none");
  journal.key("max_bytes", &JournalConfig::max_bytes, "4GiB", "bound of the journal with its payloads");
  journal.key("result_ttl", &JournalConfig::result_ttl, "24h", "how long results can be fetched");
}

}  // namespace

std::string KeySpec::variable() const {
  std::string name = "PINION_" + table + "_" + key;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

const std::vector<KeySpec>& config_schema() {
  static const std::vector<KeySpec> schema = [] {
    std::vector<KeySpec> keys;
    add_daemon(keys);
    add_memory(keys);
    add_plugins(keys);
    add_pipeline(keys);
    add_others(keys);
    return keys;
  }();
  return schema;
}

std::vector<std::string> config_tables() {
  std::vector<std::string> tables;
  for (const KeySpec& spec : config_schema()) {
    if (tables.empty() || tables.back() != spec.table) tables.push_back(spec.table);
  }
  tables.emplace_back("plugin");
  return tables;
}

}  // namespace pinion::host
