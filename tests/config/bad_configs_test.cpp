// Wrong configurations, one fault each, with the whole message an operator gets.
#include <algorithm>
#include <catch2/catch.hpp>

#include "sources.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

struct Bad {
  const char* text;
  const char* message;
};

const Bad kBad[] = {
    {"[memory]\nbudgit = \"5GiB\"",
     "p.toml:2:1: memory.budgit = \"5GiB\": there is no such key in [memory]; did you mean \"budget\"?"},
    {"[memory]\nevict_idle_min = \"5m\"",
     "p.toml:2:1: memory.evict_idle_min = \"5m\": there is no such key in [memory]; its keys are budget, "
     "safety_margin, "
     "start_wait, evict_min_idle, max_waste, pinned_max, warm, warm_slab, critical_reserve"},
    {"[memory]\nbudget = \"16Gib\"",
     "p.toml:2:10: memory.budget = \"16Gib\": \"16Gib\" is not a size; did you mean "
     "\"16GiB\"?"},
    {"[memory]\nsafety_margin = \"5 GiB\"",
     "p.toml:2:17: memory.safety_margin = \"5 GiB\": \"5 GiB\" is not a size; did you mean \"5GiB\"?"},
    {"[memory]\nsafety_margin = 5",
     "p.toml:2:17: memory.safety_margin = 5: expected a size in quotes, with its unit, "
     "such as \"5GiB\", found an integer"},
    {"[memory]\nwarm = \"lots\"",
     "p.toml:2:8: memory.warm = \"lots\": \"lots\" is not a size; expected a number and a "
     "unit, such as \"5GiB\" or \"512MiB\""},
    {"[memory]\nwarm = \"-5GiB\"",
     "p.toml:2:8: memory.warm = \"-5GiB\": \"-5GiB\" is not a size; expected a number and "
     "a unit, such as \"5GiB\" or \"512MiB\""},
    {"[memory]\nwarm = \"99999999999TiB\"",
     "p.toml:2:8: memory.warm = \"99999999999TiB\": \"99999999999TiB\" is larger "
     "than any machine: sizes end below 2^64 bytes"},
    {"[memory]\nevict_min_idle = \"5 minutes\"",
     "p.toml:2:18: memory.evict_min_idle = \"5 minutes\": \"5 minutes\" is not a duration; did you mean \"5m\"?"},
    {"[memory]\nevict_min_idle = 300",
     "p.toml:2:18: memory.evict_min_idle = 300: expected a duration in quotes, with its "
     "unit, such as \"10m\", found an integer"},
    {"[memory]\nmax_waste = 1.5", "p.toml:2:13: memory.max_waste = 1.5: expected a number from 0 to 1"},
    {"[memory]\nmax_waste = nan", "p.toml:2:13: memory.max_waste = nan: expected a number from 0 to 1"},
    {"[memory]\nmax_waste = \"0.25\"",
     "p.toml:2:13: memory.max_waste = \"0.25\": expected a number such as 0.25, found text"},
    {"[memory]\nbudget = \"0\"",
     "p.toml:2:10: memory.budget = \"0\": nothing can be proved with no memory; expected a size, or \"auto\""},
    {"[memory]\nbudget = 4294967296",
     "p.toml:2:10: memory.budget = 4294967296: expected a size in quotes, with its unit, such as \"5GiB\", or "
     "\"auto\", "
     "found an integer"},
    {"[memory]\nbudget = 4GiB  # all",
     "p.toml:2:11: not valid TOML: Error while parsing decimal integer: expected digit, "
     "saw 'G'; what is not a number, true or false stands in quotes: budget = \"4GiB\""},
    {"[plugins]\nbackends = []",
     "p.toml:2:12: plugins.backends = []: names none, and nothing can be proved without; leave the key out for the "
     "default"},
    {"[plugins]\nproofs = []",
     "p.toml:2:10: plugins.proofs = []: names none, and nothing can be proved without; leave the key out for the "
     "default"},
    {"[memroy]\nbudget = \"5GiB\"", "p.toml:1:2: memroy: there is no such table; did you mean [memory]?"},
    {"[backend-x]\ndevices = 1",
     "p.toml:1:2: backend-x: there is no such table; options of a plugin stand under [plugin.backend-x]"},
    {"[xyzzy]\nz = 1",
     "p.toml:1:2: xyzzy: there is no such table; the tables are daemon, memory, plugins, pipeline, "
     "backend, params, journal, plugin"},
    {"[memory]\n\"a\\u001b[2J\\nb\" = \"x\\u202e\"",
     "p.toml:2:1: \"memory.a\\u001b[2J\\nb\" = \"x\\u202e\": there is no such key in [memory]; its keys are budget, "
     "safety_margin, "
     "start_wait, evict_min_idle, max_waste, pinned_max, warm, warm_slab, critical_reserve"},
    {"[\"a\\nb\"]\nz = 1",
     "p.toml:1:2: \"a\\nb\": there is no such table; the tables are daemon, memory, plugins, pipeline, "
     "backend, params, journal, plugin"},
    {"[plugins]\nproofs = [\"\\u007f\", \"\\u007f\"]",
     "p.toml:2:10: plugins.proofs = [\"\\u007f\", \"\\u007f\"]: \"\\u007f\" stands in it twice"},
    {"[memory]\nwarm = \"\\u0085\"",
     "p.toml:2:8: memory.warm = \"\\u0085\": \"\\u0085\" is not a size; expected a number and a unit, such as "
     "\"5GiB\" or \"512MiB\""},
    {"budget = \"5GiB\"", "p.toml:1:1: budget = \"5GiB\": stands outside any table; did you mean it under [memory]?"},
    {"memory = 5", "p.toml:1:1: memory = 5: is a table: write its keys under [memory]"},
    {"[[memory]]\nbudget = \"auto\"", "p.toml:1:3: memory = [(table)]: is a table: write its keys under [memory]"},
    {"[plugin]\nbackend-x = 1",
     "p.toml:2:1: plugin.backend-x = 1: is a table: write its keys under [plugin.backend-x]"},
    {"[daemon]\nevict_min_idle = \"5m\"",
     "p.toml:2:1: daemon.evict_min_idle = \"5m\": there is no such key in [daemon]; "
     "did you mean it under [memory]?"},
    {"[plugins]\nprelaod = [\"x\"]",
     "p.toml:2:1: plugins.prelaod = [\"x\"]: there is no such key in [plugins]; did you "
     "mean \"preload\" under [params]?"},
    {"[plugins]\nself_test = \"yes\"", "p.toml:2:13: plugins.self_test = \"yes\": expected true or false, found text"},
    {"[plugins]\nbackends = [\"a\", 0.5]",
     "p.toml:2:12: plugins.backends = [\"a\", 0.5]: expected a list of texts, found a decimal number in it: 0.5"},
    {"[plugins]\nproofs = [\"a\", \"b\", \"a\"]",
     "p.toml:2:10: plugins.proofs = [\"a\", \"b\", \"a\"]: \"a\" stands in it twice"},
    {"[plugins]\nallocator = \"\"", "p.toml:2:13: plugins.allocator = \"\": must not be empty"},
    {"[plugins]\nfallback = \"alloc-x\"",
     "p.toml:2:12: plugins.fallback = \"alloc-x\": is the allocator itself, "
     "plugins.allocator = \"alloc-x\" (default, there is no /dev/x); expected another, or \"none\""},
    {"[plugins]\nallocator = [\"a\", \"b\"]",
     "p.toml:2:13: plugins.allocator = [\"a\", \"b\"]: expected one value (text), found a list"},
    {"[pipeline]\njob_format = \"witnes\"",
     "p.toml:2:14: pipeline.job_format = \"witnes\": expected one of \"auto\", \"witness\", \"evaluations\"; did you "
     "mean "
     "\"witness\"?"},
    {"[pipeline]\non_disconnect = 1979-05-27",
     "p.toml:2:17: pipeline.on_disconnect = (date): expected text in quotes, "
     "found a date"},
    {"[pipeline]\nthreads = 0",
     "p.toml:2:11: pipeline.threads = 0: expected a number from 1 to 4294967295, or \"auto\""},
    {"[pipeline]\nthreads = \"many\"",
     "p.toml:2:11: pipeline.threads = \"many\": expected a whole number, or \"auto\", found text"},
    {"[pipeline]\nretries = -1", "p.toml:2:11: pipeline.retries = -1: expected a number from 0 to 100"},
    {"[daemon]\nlisten = \"0.0.0.0:9820\"",
     "p.toml:2:10: daemon.listen = \"0.0.0.0:9820\": reachable from other machines: set daemon.tls_cert, tls_key and "
     "token, or daemon.allow_remote_plaintext = true"},
    {"[daemon]\nstatus_listen = \"10.0.0.1:80\"",
     "p.toml:2:17: daemon.status_listen = \"10.0.0.1:80\": reachable from other machines, in plain text: set "
     "daemon.allow_remote_plaintext = true"},
    {"[daemon]\nlisten = \"127.0.0.1\"",
     "p.toml:2:10: daemon.listen = \"127.0.0.1\": no port in it; expected "
     "\"unix:///PATH\" or \"HOST:PORT\", such as \"127.0.0.1:9820\""},
    {"[daemon]\nlisten = \"127.0.0.1:99999\"",
     "p.toml:2:10: daemon.listen = \"127.0.0.1:99999\": the port is not a number from 1 to 65535; expected "
     "\"unix:///PATH\" or \"HOST:PORT\", such as \"127.0.0.1:9820\""},
    {"[daemon]\nlisten = \"unix:run/p.sock\"",
     "p.toml:2:10: daemon.listen = \"unix:run/p.sock\": the path of a socket must be absolute; expected "
     "\"unix:///PATH\" or \"HOST:PORT\", such as \"127.0.0.1:9820\""},
    {"[daemon]\ntls_cert = \"/c.pem\"",
     "p.toml:2:12: daemon.tls_cert = \"/c.pem\": needs the other of the two as well: "
     "daemon.tls_key = \"\" (default)"},
    {"[daemon]\ntoken = 12345", "p.toml:2:9: daemon.token = (hidden): expected text in quotes, found an integer"},
    {"[daemon]\nmax_message = \"3GiB\"\nreceive_budget = \"4GiB\"",
     "p.toml:2:15: daemon.max_message = \"3GiB\": expected a size from 64KiB to below 2GiB"},
    {"[daemon]\nreceive_budget = \"1MiB\"",
     "p.toml:2:18: daemon.receive_budget = \"1MiB\": smaller than one message: "
     "daemon.max_message = \"256MiB\" (default)"},
    {"[journal]\npath = \"a\\u0000b\"",
     "p.toml:2:8: journal.path = \"a\\u0000b\": contains a zero byte, which no setting may"},
};

}  // namespace

TEST_CASE("each wrong configuration has its own message", "[config]") {
  static_assert(std::size(kBad) >= 25);
  for (const Bad& bad : kBad) {
    const LoadedConfig loaded = load_config(toml(bad.text));
    CHECK_THAT(problems_text(loaded.problems), Catch::Equals(bad.message));
  }
}

TEST_CASE("syntax errors have a place", "[config]") {
  for (const char* text : {"[memory", "[memory]\nbudget = ", "[memory]\nbudget = \"5GiB\"\nbudget = \"6GiB\"",
                           "[memory]\n[memory]\n", "x = \"\xff\"", "a = 1 b = 2", "\x01"}) {
    const LoadedConfig loaded = load_config(toml(text));
    REQUIRE(loaded.problems.size() == 1);
    CHECK_THAT(loaded.problems[0].text(), Catch::StartsWith("p.toml:") && Catch::Contains("not valid TOML"));
    CHECK(loaded.problems[0].origin.line >= 1);
    CHECK(loaded.problems[0].origin.column >= 1);
  }
}

TEST_CASE("what nests deeper than any setting is refused before it is parsed, however it is written", "[config]") {
  const auto steps = [](std::size_t count) {
    std::string key = "a";
    while (--count > 0) key += ".a";
    return key;
  };
  // Each would take a stack frame or more a step; strings and comments may hold dots.
  const std::string deep = steps(100'000), dots = std::string(1000, '.');
  for (const std::string& text : {deep + " = 1\n", "[" + deep + "]\n", "[[" + deep + "]]\n", "x = {" + deep + " = 1}\n",
                                  "x = {y = \"\"\"b\"\"\"\", " + deep + " = 1}\n", "x = '\\'\n" + deep + " = 1\n",
                                  "x = \"\\\"\"\n" + deep + " = 1\n", "# '\n" + deep + " = 1\n",
                                  "x = '''\n'\n'''\n" + deep + " = 1\n", "\"a\" . 'b' ." + deep + " = 1\n"}) {
    const LoadedConfig loaded = load_config(toml(text));
    REQUIRE(loaded.problems.size() == 1);
    CHECK_THAT(loaded.problems[0].text(), Catch::Contains("a key of more than 16 steps"));
    CHECK(loaded.problems[0].origin.line ==
          static_cast<std::size_t>(std::count(text.begin(), text.end() - 1, '\n')) + 1);
  }
  for (const std::string& text : {"[memory]\n# " + dots + "\n", "[params]\ndir = \"" + dots + "\"\n",
                                  "[params]\ndir = '''" + dots + "\n" + dots + "'''\n"})
    CHECK(problems_text(load_config(toml(text)).problems).empty());
  std::string nested = "x = ";  // as deep as both bounds let it be
  for (int i = 0; i < 250; ++i) nested += "{" + steps(16) + " = ";
  CHECK_FALSE(load_config(toml(nested + "1" + std::string(250, '}') + "\n")).problems.empty());
}

TEST_CASE("all problems are told at once, in the order of the file", "[config]") {
  const LoadedConfig loaded =
      load_config(toml("[pipeline]\nretries = \"x\"\n\n[memory]\nmax_waste = 2\nbudgget = 1\n"
                       "[daemon]\nlisten = \"\"\n"));
  std::vector<std::uint32_t> lines;
  for (const Problem& problem : loaded.problems) lines.push_back(problem.origin.line);
  CHECK(lines == std::vector<std::uint32_t>{2, 5, 6, 8});
}
