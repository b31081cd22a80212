// Any text as pinion.toml: problems with places and messages, or a configuration that prints to text which loads to the
// same again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <pinion/host/config/plugin_options.hpp>
#include <pinion/host/config/render.hpp>

using namespace pinion::host;

namespace {

ConfigSources sources_of(std::string text) {
  ConfigSources sources;
  sources.file = "fuzz.toml";
  sources.file_text = std::move(text);
  sources.defaults = {"alloc-x", {"backend-x"}, {"proof-x"}, "fuzz"};
  return sources;
}

void require(bool condition) {
  if (!condition) std::abort();
}

// Each line up to the comment that says where its value came from.
std::string without_origins(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    out += line.substr(0, line.rfind(" # ")) + "\n";
    at = end + 1;
  }
  return out;
}

void check_plugin(const std::string& id, const PluginTable& table) {
  DeclaredOption devices;
  devices.key = "devices";
  devices.rule.type = OptionType::list;
  devices.default_text = "all";
  DeclaredOption chunk;
  chunk.key = "chunk";
  chunk.rule.type = OptionType::size;
  const CheckedOptions checked = check_options(id, {devices, chunk}, &table);
  for (const Problem& problem : checked.problems) require(!problem.message.empty() && !problem.text().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const LoadedConfig loaded = load_config(sources_of({reinterpret_cast<const char*>(data), size}));
  for (const Problem& problem : loaded.problems) {
    require(!problem.message.empty());
    if (problem.origin.source == Origin::Source::file) require(problem.origin.line > 0 && problem.origin.column > 0);
  }
  require(loaded.ok() == problems_text(loaded.problems).empty());
  (void)problems_json(loaded.problems);
  for (const auto& [id, table] : loaded.config.plugin_tables) check_plugin(id, table);
  if (!loaded.ok()) return 0;
  Config shown = loaded.config;
  shown.plugin_tables.clear();                 // raw: what is not a value of ours prints as a description of it
  if (!shown.daemon.token->empty()) return 0;  // hidden, so it cannot come back
  const std::string text = config_text(shown);
  const LoadedConfig again = load_config(sources_of(text));
  require(again.ok());
  require(without_origins(config_text(again.config)) == without_origins(text));
  return 0;
}
