#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <pinion/host/config/plugin_defaults.hpp>
#include <pinion/host/config/render.hpp>

#include "sources.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

TEST_CASE("an empty file gives the documented defaults", "[config]") {
  const LoadedConfig loaded = load_config(toml(""));
  REQUIRE(problems_text(loaded.problems).empty());
  const Config& config = loaded.config;
  CHECK(*config.daemon.listen == "unix:///run/pinion/pinion.sock");
  CHECK(*config.daemon.grace_period == std::chrono::minutes(10));
  CHECK(*config.daemon.max_message == mib(256));
  CHECK_FALSE(config.memory.budget.value.has_value());
  CHECK(*config.memory.safety_margin == gib(5));
  CHECK(*config.memory.evict_min_idle == std::chrono::minutes(5));
  CHECK(*config.memory.max_waste == 0.25);
  CHECK(*config.memory.warm == Bytes());
  CHECK(*config.plugins.allocator == "alloc-x");
  CHECK(config.plugins.allocator.origin.text() == "default, there is no /dev/x");
  CHECK(*config.plugins.backends == std::vector<std::string>{"backend-x", "backend-y"});
  CHECK(*config.plugins.fallback == "none");
  CHECK(*config.plugins.self_test);
  CHECK_FALSE(config.pipeline.threads.value.has_value());
  CHECK(*config.pipeline.job_format == "auto");
  CHECK(*config.pipeline.retries == 1);
  CHECK(*config.pipeline.max_pending == 64);
  CHECK(*config.pipeline.on_disconnect == "keep");
  CHECK(*config.backend.on_device_fatal == "quarantine");
  CHECK(config.params.preload->empty());
  CHECK(*config.journal.result_ttl == std::chrono::hours(24));
  CHECK(config.memory.warm.origin.text() == "default");
}

TEST_CASE("every kind of value is read, with its place", "[config]") {
  const LoadedConfig loaded = load_config(toml(R"(
[memory]
budget = "1.5GiB"
max_waste = 1
[plugins]
backends = "only-one"
path = ["/a", "/b c"]
require_dma = true
[pipeline]
threads = 8
max_synthesis = "auto"
stall_warning = "1h30m"
)"));
  REQUIRE(problems_text(loaded.problems).empty());
  const Config& config = loaded.config;
  CHECK(config.memory.budget.value == mib(1536));
  CHECK(config.memory.budget.origin.text() == "p.toml:3");
  CHECK(*config.memory.max_waste == 1.0);
  CHECK(*config.plugins.backends == std::vector<std::string>{"only-one"});
  CHECK(*config.plugins.path == std::vector<std::string>{"/a", "/b c"});
  CHECK(*config.plugins.require_dma);
  CHECK(config.pipeline.threads.value == 8U);
  CHECK_FALSE(config.pipeline.max_synthesis.value.has_value());
  CHECK(*config.pipeline.stall_warning == std::chrono::minutes(90));
}

TEST_CASE("flags win over the environment, which wins over the file", "[config]") {
  ConfigSources sources = toml("[memory]\nwarm = \"1GiB\"\nsafety_margin = \"1GiB\"\nbudget = \"1GiB\"");
  sources.environment = {{"PINION_MEMORY_SAFETY_MARGIN", "2GiB"}, {"PINION_MEMORY_BUDGET", "2GiB"}, {"HOME", "/x"}};
  sources.flags = {{"--budget", "memory.budget", "auto"}};
  const LoadedConfig loaded = load_config(sources);
  REQUIRE(problems_text(loaded.problems).empty());
  CHECK(*loaded.config.memory.warm == gib(1));
  CHECK(*loaded.config.memory.safety_margin == gib(2));
  CHECK(loaded.config.memory.safety_margin.origin.text() == "environment PINION_MEMORY_SAFETY_MARGIN");
  CHECK_FALSE(loaded.config.memory.budget.value.has_value());
  CHECK(loaded.config.memory.budget.origin.text() == "flag --budget");
}

TEST_CASE("the environment goes through the same parser", "[config]") {
  const auto with = [](std::string name, std::string value) {
    ConfigSources sources = toml("");
    sources.environment = {{std::move(name), std::move(value)}};
    return load_config(sources);
  };
  CHECK(with("PINION_PIPELINE_THREADS", "3").config.pipeline.threads.value == 3U);
  CHECK(*with("PINION_MEMORY_MAX_WASTE", "0.5").config.memory.max_waste == 0.5);
  CHECK_FALSE(*with("PINION_PLUGINS_SELF_TEST", "false").config.plugins.self_test);
  CHECK(*with("PINION_PLUGINS_BACKENDS", "a, b").config.plugins.backends == std::vector<std::string>{"a", "b"});
  CHECK(with("PINION_PLUGIN_PATH", "/x").ok());  // not a setting, but known
  CHECK(with("PINION_VECTORS", "/x").ok());
  for (const auto& [name, value, message] : {
           std::tuple("PINION_PIPELINE_THREADS", "0", "pipeline.threads = \"0\": expected a number from 1"),
           {"PINION_PIPELINE_THREADS", "", "expected a whole number"},
           {"PINION_PIPELINE_THREADS", "x", "expected a whole number"},
           {"PINION_MEMORY_WARM", "", "\"\" is not a size"},
           {"PINION_PLUGINS_SELF_TEST", "1", "expected true or false"},
           {"PINION_MEMORY_BUGDET", "1GiB", "sets nothing: there is no such key; did you mean PINION_MEMORY_BUDGET?"},
           {"PINION_MEMROY_BUDGET", "1GiB", "did you mean PINION_MEMORY_BUDGET?"},
           {"PINION_JOURNAL_SOMETHING_ELSE_ENTIRELY", "1", "sets nothing"},
       }) {
    const LoadedConfig loaded = with(name, value);
    REQUIRE(loaded.problems.size() == 1);
    CHECK_THAT(loaded.problems[0].text(),
               Catch::StartsWith(std::string("environment ") + name + ": ") && Catch::Contains(message));
  }
}

TEST_CASE("a key with a problem keeps the value from below", "[config]") {
  ConfigSources sources = toml("[memory]\nwarm = \"1GiB\"");
  sources.environment = {{"PINION_MEMORY_WARM", "lots"}};
  const LoadedConfig loaded = load_config(sources);
  CHECK(loaded.problems.size() == 1);
  CHECK(*loaded.config.memory.warm == gib(1));
}

TEST_CASE("remote addresses pass with TLS and token, or when plain text is allowed", "[config]") {
  CHECK(load_config(toml("[daemon]\nlisten = \"0.0.0.0:1\"\nallow_remote_plaintext = true")).ok());
  CHECK(load_config(toml("[daemon]\nlisten = \"0.0.0.0:1\"\ntls_cert = \"c\"\ntls_key = \"k\"\ntoken = \"t\"")).ok());
  CHECK_FALSE(load_config(toml("[daemon]\nlisten = \"0.0.0.0:1\"\ntls_cert = \"c\"\ntls_key = \"k\"")).ok());
  for (const char* local : {"127.0.0.1:1", "127.8.8.8:1", "localhost:1", "[::1]:1", "unix:/a/b"}) {
    CHECK(load_config(toml(std::string("[daemon]\nlisten = \"") + local + "\"")).ok());
  }
  CHECK_FALSE(load_config(toml("[daemon]\nlisten = \"127.evil.example:1\"")).ok());
}

TEST_CASE("what config show prints loads to the same configuration", "[config]") {
  const LoadedConfig first = load_config(toml(
      "[memory]\nbudget = \"7GiB\"\n[plugins]\npath = [\"/a\\\"b\"]\n[plugin.backend-x]\ndevices = [0, \"GPU-1\"]\n"));
  REQUIRE(first.ok());
  const std::string text = config_text(first.config, {"budget 7 GiB"});
  CHECK_THAT(text, Catch::StartsWith("# budget 7 GiB\n") && Catch::Contains("# p.toml:2\n") &&
                       Catch::Contains("# default\n") && Catch::Contains("# default, there is no /dev/x\n"));
  const LoadedConfig second = load_config(toml(text));
  REQUIRE(problems_text(second.problems).empty());
  CHECK(second.config.memory.budget.value == gib(7));
  CHECK(*second.config.plugins.path == std::vector<std::string>{"/a\"b"});
  CHECK(second.config.plugin_tables.at("backend-x").values.at("devices").text() == "[0, \"GPU-1\"]");
  // Every key is printed.
  for (const KeyInfo& info : config_keys())
    CHECK_THAT(text, Catch::Contains(info.key.substr(info.key.find('.') + 1) + " = "));
  CHECK_THAT(config_json(first.config), Catch::Contains("\"value\": \"7GiB\"") && Catch::Contains("\"p.toml:2\""));
}

TEST_CASE("secrets are never printed", "[config]") {
  const LoadedConfig loaded = load_config(toml("[daemon]\ntoken = \"s3cret\""));
  CHECK_THAT(config_text(loaded.config), !Catch::Contains("s3cret") && Catch::Contains("token = \"(hidden)\""));
  CHECK_THAT(config_json(loaded.config), !Catch::Contains("s3cret"));
}

TEST_CASE("problems as JSON keep place, key and value", "[config]") {
  const LoadedConfig loaded = load_config(toml("[memory]\nwarm = \"\xc3\xa9\""));
  CHECK_THAT(problems_json(loaded.problems), Catch::Contains("\"line\": 2") && Catch::Contains("\"column\": 8") &&
                                                 Catch::Contains("\"key\": \"memory.warm\""));
}

TEST_CASE("every key has help and a default that its own rule accepts", "[config]") {
  CHECK(load_config(toml("")).ok());
  for (const KeyInfo& info : config_keys()) CHECK(info.help.size() > 10);
  CHECK(config_keys().size() == 42);
}

TEST_CASE("a configuration that cannot be read says why", "[config]") {
  ConfigSources sources;
  CHECK_THAT(read_config_file("/nowhere/p.toml", sources).message(), Catch::Contains("/nowhere/p.toml"));
  CHECK_THAT(read_config_file("/", sources).message(), Catch::Contains("not a file"));
  const auto path = std::filesystem::temp_directory_path() / ("pinion-config-test-" + std::to_string(::getpid()));
  std::ofstream(path) << std::string((1 << 20) + 1, '#');
  CHECK_THAT(read_config_file(path.string(), sources).message(), Catch::Contains("1048577 bytes"));
  std::ofstream(path) << "[memory]\n";
  CHECK(read_config_file(path.string(), sources).ok());
  CHECK(sources.file_text == "[memory]\n");
  std::filesystem::remove(path);
}

TEST_CASE("plugin defaults follow from the device file", "[config]") {
  const auto root = std::filesystem::temp_directory_path() / ("pinion-defaults-test-" + std::to_string(::getpid()));
  const PluginDefaults without = plugin_defaults(root.string());
  CHECK_THAT(without.because, Catch::StartsWith("there is no /dev/"));
  CHECK_FALSE(without.allocator.empty());
  CHECK_FALSE(without.proofs.empty());
  const std::string device = without.because.substr(without.because.find('/'));
  std::filesystem::create_directories((root / device.substr(1)).parent_path());
  std::ofstream(root / device.substr(1)) << "";
  const PluginDefaults with = plugin_defaults(root.string());
  CHECK(with.because == "there is " + device);
  CHECK_FALSE(with.allocator.empty());
  CHECK_FALSE(with.backends.empty());
  CHECK(with.proofs == without.proofs);
  std::filesystem::remove_all(root);
}

TEST_CASE("an overlay wins over everything, key by key, and its problems name it", "[config]") {
  ConfigSources sources = toml("[pipeline]\nthreads = 4\nretries = 2\n[plugin.x]\na = 1\nb = 1\n");
  sources.flags = {{"--set", "pipeline.threads", "5"}};
  sources.overlay = ConfigFile{"A.toml", "[pipeline]\nthreads = 6\n[plugin.x]\nb = 2\n"};
  const LoadedConfig loaded = load_config(sources);
  REQUIRE(problems_text(loaded.problems).empty());
  CHECK(loaded.config.pipeline.threads.value == 6u);
  CHECK(loaded.config.pipeline.threads.origin.text() == "A.toml:2");
  CHECK(*loaded.config.pipeline.retries == 2);
  const auto& options = loaded.config.plugin_tables.at("x").values;
  CHECK(options.at("a").text() == "1");
  CHECK(options.at("b").text() == "2");
  sources.overlay = ConfigFile{"A.toml", "[pipelin]\nthreads = 6\n"};
  CHECK_THAT(problems_text(load_config(sources).problems), Catch::StartsWith("A.toml:1"));
}

TEST_CASE("a flag sets options of plugins too, and a key there is not is told with what was meant", "[config]") {
  ConfigSources sources = toml("[plugin.x]\na = 1\nb = 1\n");
  sources.flags = {{"--set", "plugin.x.b", "2"}, {"--set", "plugin.y.c", "on"}};
  const LoadedConfig loaded = load_config(sources);
  REQUIRE(problems_text(loaded.problems).empty());
  const auto& x = loaded.config.plugin_tables.at("x");
  CHECK(x.origin.text() == "p.toml:1");
  CHECK(x.values.at("a").text() == "1");
  CHECK(x.values.at("b").plain_text);
  CHECK(x.values.at("b").origin.text() == "flag --set");
  CHECK(loaded.config.plugin_tables.at("y").origin.text() == "flag --set");
  const auto problem = [](const std::string& key) {
    ConfigSources wrong = toml("");
    wrong.flags = {{"--set", key, "1"}};
    return problems_text(load_config(wrong).problems);
  };
  const std::string none = ": there is no such key; ";
  CHECK(problem("plugin.x") ==
        "flag --set: plugin.x" + none +
            "an option of a plugin is written plugin.ID.KEY, as in plugin.alloc-heap.huge_pages");
  CHECK(problem("plugin.x.") ==
        "flag --set: plugin.x." + none +
            "an option of a plugin is written plugin.ID.KEY, as in plugin.alloc-heap.huge_pages");
  CHECK(problem("alloc-x.b") == "flag --set: alloc-x.b" + none + "did you mean \"plugin.alloc-x.b\"?");
  CHECK(problem("memroy.budget") == "flag --set: memroy.budget" + none + "did you mean \"memory.budget\"?");
  CHECK(problem("memory.budgte") == "flag --set: memory.budgte" + none + "did you mean \"memory.budget\"?");
  CHECK(problem("budget") == "flag --set: budget" + none + "did you mean \"memory.budget\"?");
  CHECK(problem("xyz.abc") == "flag --set: xyz.abc" + none +
                                  "the tables are daemon, memory, plugins, pipeline, backend, params, journal, plugin");
}
