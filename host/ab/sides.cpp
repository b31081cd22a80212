#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pinion/host/ab/sides.hpp>
#include <pinion/host/config/schema.hpp>
#include <set>

namespace pinion::host::ab {
namespace {

constexpr std::array<std::string_view, 5> compared_keys{"plugins.allocator", "plugins.fallback", "plugins.backends",
                                                        "plugins.require_dma", "pipeline.job_format"};
constexpr std::array<std::string_view, 8> idle_keys{
    "pipeline.max_pending", "pipeline.on_disconnect", "pipeline.stall_warning", "params.strict", "params.preload",
    "memory.warm",          "plugins.self_test",      "backend.on_device_fatal"};

template <class List>
bool among(const List& list, const std::string& key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

std::string value_text(const KeySpec& spec, const Config& config) {
  const auto value = spec.value(config);
  return value ? option_text(*value) : "\"auto\"";
}

Effect effect_of(const std::string& key) {
  if (among(compared_keys, key)) return Effect::compared;
  if (among(idle_keys, key) || key.starts_with("daemon.") || key.starts_with("journal.")) return Effect::none;
  return Effect::refused;
}

bool allocates(const Config& config, const std::string& plugin) {
  return *config.plugins.allocator == plugin || *config.plugins.fallback == plugin;
}

bool works(const Config& config, const std::string& plugin) {
  return among(*config.plugins.backends, plugin) || among(*config.plugins.proofs, plugin);
}

const RawValue* option(const Config& config, const std::string& plugin, const std::string& key) {
  const auto table = config.plugin_tables.find(plugin);
  if (table == config.plugin_tables.end()) return nullptr;
  const auto value = table->second.values.find(key);
  return value == table->second.values.end() ? nullptr : &value->second;
}

// The value of an option, spelled in one way: what is written, else the default; "" when neither is there.
std::string value_of(const RawValue* written, const DeclaredOption* declared) {
  if (declared == nullptr) return written == nullptr ? "" : written->text();
  RawValue by_default;
  if (written == nullptr && declared->default_text) {
    by_default.value = RawScalar(*declared->default_text);
    by_default.plain_text = true;
    written = &by_default;
  }
  if (written == nullptr) return "";
  const auto value = parse_option(declared->rule, *written);
  return value ? option_text(*value) : written->text();
}

}  // namespace

std::vector<Difference> host_differences(const Config& a, const Config& b) {
  std::vector<Difference> out;
  for (const KeySpec& spec : config_schema()) {
    Difference one{spec.path(), value_text(spec, a), value_text(spec, b), spec.origin(b)};
    if (one.a == one.b) continue;
    if (one.origin.source == Origin::Source::built_in) one.origin = spec.origin(a);
    if (spec.secret) one.a = one.b = "(hidden)";
    one.effect = effect_of(one.key);
    one.of_allocator = one.key == "plugins.allocator" || one.key == "plugins.fallback";
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<Difference> plugin_differences(const Config& a, const Config& b, const DeclaredFn& declared) {
  std::set<std::pair<std::string, std::string>> keys;
  for (const Config* side : {&a, &b})
    for (const auto& [id, table] : side->plugin_tables)
      for (const auto& [key, value] : table.values) keys.emplace(id, key);
  std::vector<Difference> out;
  for (const auto& [id, key] : keys) {
    const auto options = declared(id);
    const auto is = [&key = key](const DeclaredOption& one) { return one.key == key; };
    const auto at = std::find_if(options.begin(), options.end(), is);
    const DeclaredOption* const known = at == options.end() ? nullptr : &*at;
    const RawValue* const in_a = option(a, id, key);
    const RawValue* const in_b = option(b, id, key);
    Difference one{"plugin." + id + "." + key, value_of(in_a, known), value_of(in_b, known),
                   in_b ? in_b->origin : in_a->origin};
    if (one.a == one.b) continue;
    one.of_allocator = allocates(a, id) || allocates(b, id);
    if (!one.of_allocator) one.effect = works(a, id) || works(b, id) ? Effect::refused : Effect::none;
    if (one.of_allocator && !allocates(a, id)) one.a.clear();
    if (one.of_allocator && !allocates(b, id)) one.b.clear();
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<Problem> refusals(const std::vector<Difference>& differences) {
  std::vector<Problem> problems;
  for (const Difference& one : differences) {
    if (one.effect != Effect::refused) continue;
    const std::string why = one.key.starts_with("plugin.")
                                ? "both sides share one instance of this plugin and what it keeps loaded"
                                : "both sides share one process, with one budget and one set of threads";
    problems.push_back(
        {one.origin, one.key,
         fmt::format("A {}, B {}", one.a.empty() ? "unset" : one.a, one.b.empty() ? "unset" : one.b),
         fmt::format("cannot differ within a comparison: {}; put it into the base (--config, --set)", why)});
  }
  return problems;
}

std::vector<std::string> idle_differences(const std::vector<Difference>& differences) {
  std::vector<std::string> out;
  bool any = false;
  for (const Difference& one : differences) {
    any = any || one.effect == Effect::compared;
    if (one.effect == Effect::none)
      out.push_back(fmt::format("{} differs ({} against {}), but nothing here uses it", one.key,
                                one.a.empty() ? "unset" : one.a, one.b.empty() ? "unset" : one.b));
  }
  if (!any)
    out.push_back("both sides are the same configuration: this measures how far equals seem to differ (an A/A run)");
  return out;
}

}  // namespace pinion::host::ab
