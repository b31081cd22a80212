// What is decided at start: which plugins, which way each kind takes, and what is refused then rather than later.
#include "host.hpp"

using namespace toy;
using Catch::Contains;
using Catch::Matches;

namespace {

Status open_status(const std::string& text) {
  return Host(text).opened.status();
}

}  // namespace

TEST_CASE("The short name of a job format") {
  CHECK(short_format("pinion.job.toy-witness.none/1") == "witness");
  CHECK(short_format("pinion.job.some-scheme-evaluations.curve-1/2") == "evaluations");
  CHECK(short_format("pinion.job.plain.curve/1") == "plain");
}

TEST_CASE("The route of each kind") {
  SECTION("direct") {
    Host host(config("[plugin.toy-backend]\ndevices = 2"));
    REQUIRE(host.prover().routes().size() == 1);
    CHECK(host.prover().routes()[0].text() == "toy-1k -> alloc-heap -> toy-backend[0,1] direct");
    CHECK(host.prover().warnings().empty());
  }
  SECTION("staged copies are told") {
    Host host(config("[plugin.toy-backend]\nneeds_pinned = true"));
    CHECK(host.prover().routes()[0].text() == "toy-1k -> alloc-heap -> toy-backend[0] staged copies");
    REQUIRE(host.prover().warnings().size() == 1);
    CHECK_THAT(host.prover().warnings()[0], Contains("staged copies: toy-backend reads pinned memory directly"));
    CHECK(host.prover().prove(request()).ok());
  }
  SECTION("unless they are forbidden") {
    const Status status =
        open_status(config("[plugin.toy-backend]\nneeds_pinned = true",
                           "require_dma = true\nallocator = \"alloc-heap\"\nbackends = [\"toy-backend\"]"));
    CHECK(status.code() == Code::invalid_config);
    CHECK_THAT(
        status.message(),
        Matches(".*; plugins.require_dma forbids that \\(test.toml:[0-9]+\\): take it back, or choose another of "
                "plugins.allocator \\(test.toml:[0-9]+\\) and plugins.backends \\(test.toml:[0-9]+\\)"));
  }
  SECTION("memory of the wrong kind is refused") {
    const Status status = open_status(config("[plugin.toy-backend]\nonly_pinned = true"));
    CHECK_THAT(status.message(), Contains("alloc-heap makes pageable memory, toy-backend accepts pinned"));
  }
  SECTION("and the right kind is taken") {
    Host host(config("[plugin.toy-backend]\nonly_pinned = true\nneeds_pinned = true",
                     "allocator = \"toy-pinned\"\nbackends = [\"toy-backend\"]"));
    CHECK(host.prover().routes()[0].text() == "toy-1k -> toy-pinned -> toy-backend[0] direct");
    CHECK(host.prover().prove(request()).ok());
  }
  SECTION("a backend without the preferred format gets the next") {
    Host host(config("[plugin.toy-backend]\nonly_evaluations = true"));
    CHECK(host.prover().prove(request())->parts[0].format == "pinion.job.toy-evaluations.none/1");
  }
  SECTION("no format in common") {
    const Status status =
        open_status(config("[plugin.toy-backend]\nonly_evaluations = true\n[pipeline]\njob_format = \"witness\""));
    CHECK_THAT(status.message(),
               Contains("toy-1k cannot be proved here: no usable device takes its job formats") &&
                   Contains("pipeline.job_format = witness (test.toml:") && Contains("plugins.backends (test.toml:") &&
                   Contains(") are toy-backend; found, and not among them: ") && Contains("backend-cpu"));
  }
}

TEST_CASE("A family of a plugin that is found and not used") {
  Host host;
  CHECK(host.prover().check_family("toy").ok());
  const Status status = host.prover().check_family("tin");
  CHECK(status.code() == Code::invalid_input);
  CHECK_THAT(status.message(), Contains("has the family \"tin\"; there are: toy; found, and not in plugins.proofs "
                                        "(test.toml:") &&
                                   Contains("): proof-porep"));
}

TEST_CASE("A start that is stopped while it waits for memory does not go on") {
  std::stop_source stop;
  stop.request_stop();
  MemoryLog log;
  SteadyClock clock;
  OsRandom random;
  ProverSetup setup = Host::setup(parsed(config()));
  setup.stop = stop.get_token();
  const auto opened = Prover::open(setup, log, clock, random);
  CHECK(opened.status().code() == Code::cancelled);
}

TEST_CASE("Starting without a usable device says how many were seen and why each was refused") {
  const Status status = open_status(config("[plugin.toy-backend]\ndevices = 0"));
  CHECK(status.code() == Code::invalid_config);
  CHECK_THAT(
      status.message(),
      Contains("no usable device; plugin toy-backend (named by test.toml:7) has no devices: the script says so") &&
          Contains("write it too: [plugins] backends = [\"toy-backend\", \""));
  // A second backend keeps it going, and every result says who made it.
  Host host(config("[plugin.toy-backend]\ndevices = 0",
                   "allocator = \"alloc-heap\"\nbackends = [\"toy-backend\", \"toy-backend-b\"]"));
  CHECK(host.prover().prove(request())->degraded);
  CHECK(host.prover().snapshot().degraded);
}

TEST_CASE("Everything wrong with the configured plugins is told at once") {
  const Status status = open_status(config(
      "[plugin.toy-proof]\nscrpt = []\n[plugin.toy-backend]\ndevices = \"many\"\n[plugin.tyo-backend]\ndevices = 1",
      "allocator = \"alloc-none\"\nbackends = [\"toy-backend\", \"toy-proof\"]"));
  CHECK(status.code() == Code::invalid_config);
  const std::string& text = status.message();
  CHECK_THAT(text, Contains("no plugin \"alloc-none\" was found; searched:"));
  CHECK_THAT(text, Contains("plugin.toy-proof.scrpt") && Contains("script"));  // and the nearest key
  CHECK_THAT(text, Contains("plugin.toy-backend.devices") && Contains("many"));
  CHECK_THAT(text, Contains("plugin.tyo-backend: there is no such plugin; did you mean \"toy-backend\"?"));
  CHECK_THAT(text, Contains("test.toml:"));
}

TEST_CASE("The options of a plugin that is not in use are checked like all others") {
  const Status status = open_status(config("[plugin.toy-pinned]\nlimt = \"1MiB\"\nkeeps = 3"));
  CHECK(status.code() == Code::invalid_config);
  CHECK_THAT(status.message(), Contains("toy-pinned declares no such option; did you mean \"limit\"?") &&
                                   Contains("plugin.toy-pinned.keeps = 3"));
  CHECK(open_status(config("[plugin.toy-pinned]\nlimit = \"1MiB\"")).ok());
}

TEST_CASE("An allocator that does not work on this machine is an error, or its fallback's turn, visibly") {
  struct Case {
    const char *options, *reason, *allocator;  // and which is lent from first
  };
  for (const auto& [options, reason, allocator] :
       {Case{"absent = true", "there is no toy device; plug one in", "alloc-heap"},
        Case{"limit = \"1KiB\"", "the limit is 1024", "toy-pinned"}}) {
    INFO(options);
    const std::string table = std::string("[plugin.toy-pinned]\n") + options;
    const std::string pinned = "backends = [\"toy-backend\"]\nallocator = \"toy-pinned\"\n";
    const Status status = open_status(config(table, pinned));
    CHECK(status.code() == Code::invalid_config);
    CHECK_THAT(status.message(), Contains(reason) && Contains("write [plugins] fallback = \"alloc-heap\"") &&
                                     Contains("[plugins] allocator = \"alloc-heap\""));
    Host host(config(table, pinned + "fallback = \"alloc-heap\""));
    REQUIRE(host.prover().prove(request()).ok());
    CHECK(host.prover().allocators().front()->id() == allocator);
    const Snapshot now = host.prover().snapshot();
    CHECK(now.degraded);
    REQUIRE(now.notes.size() == 1);
    CHECK_THAT(now.notes[0], Contains("plugin toy-pinned (named by test.toml:7)") && Contains(reason));
    CHECK(host.log.count(LogLevel::warn) >= 1);
  }
  // A slip is no lack of the machine.
  CHECK_FALSE(open_status(config("[plugin.toy-pinned]\nabsnt = true",
                                 "allocator = \"toy-pinned\"\nfallback = \"alloc-heap\"\nbackends = [\"toy-backend\"]"))
                  .ok());
}

TEST_CASE("A plugin in the wrong role is refused") {
  const Status status = open_status(config("", "allocator = \"toy-proof\"\nbackends = [\"toy-backend\"]"));
  CHECK_THAT(status.message(), Contains("toy-proof does not offer pinion.allocator/1"));
}

TEST_CASE("An allocator that is refused more falls back only when told to, and that is visible") {
  const std::string tight = "[plugin.toy-pinned]\nlimit = \"64KiB\"";
  {
    Host host(config(tight, "allocator = \"toy-pinned\"\nbackends = [\"toy-backend\"]"));
    const auto result = host.prover().prove(request());
    CHECK(result.status().code() == Code::out_of_memory);
    CHECK_THAT(result.status().message(), Contains("raise [plugin.toy-pinned] limit"));
    host.check_all_returned();
  }
  Host host(config(tight, "allocator = \"toy-pinned\"\nfallback = \"alloc-heap\"\nbackends = [\"toy-backend\"]"));
  const auto result = host.prover().prove(request());
  INFO(result.status().text());
  REQUIRE(result.ok());
  CHECK(host.space().fallback_uses > 0);
  CHECK(host.log.count(LogLevel::warn) >= 1);
}
