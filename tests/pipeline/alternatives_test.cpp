// One host, several configurations to switch between: the ground of comparisons.
#include "host.hpp"

using namespace toy;

namespace {

struct TwoSides {
  TwoSides(const std::string& a, const std::string& b) {
    ProverSetup setup = Host::setup(parsed(a));
    setup.alternatives = {parsed(b)};
    opened = Prover::open(setup, log, clock, random);
  }
  Prover& prover() {
    INFO(opened.status().text());
    REQUIRE(opened.ok());
    return **opened;
  }
  MemoryLog log;
  SteadyClock clock;
  SeededRandom random;
  Result<std::unique_ptr<Prover>> opened = Status(Code::internal, "not opened");
};

const std::string pinned = R"(allocator = "toy-pinned"
backends = ["toy-backend"])";

}  // namespace

TEST_CASE("a switch changes allocator and route; memory, residents and proofs stay") {
  TwoSides sides(config("[pipeline]\njob_format = \"witness\"\n"),
                 config("[pipeline]\njob_format = \"evaluations\"\n", pinned));
  const auto a = sides.prover().prove(request());
  REQUIRE(a.ok());
  CHECK(a->parts.at(0).format == "pinion.job.toy-witness.none/1");
  CHECK(sides.prover().use(1) > Bytes());
  CHECK(sides.prover().allocators().front()->id() == "toy-pinned");
  CHECK(sides.prover().snapshot().spaces[0].idle == Bytes());
  const auto b = sides.prover().prove(request());
  REQUIRE(b.ok());
  CHECK(b->parts.at(0).format == "pinion.job.toy-evaluations.none/1");
  CHECK(b->proof == a->proof);
  const auto host = sides.prover().snapshot().spaces[0];
  CHECK(host.resident_loads == 2);  // shape and keys, once for both sides
  CHECK(host.fallback_uses == 0);
  sides.prover().use(0);
  CHECK(sides.prover().routes().front().allocator == "alloc-heap");
}

TEST_CASE("one allocator with two sets of options is two instances; with one set it is one") {
  TwoSides sides(config("[plugin.toy-pinned]\nlimit = \"1MiB\"\n", pinned),
                 config("[plugin.toy-pinned]\nlimit = \"8KiB\"\n", pinned));
  CHECK(sides.prover().prove(request()).ok());
  sides.prover().use(1);
  const auto refused = sides.prover().prove(request());
  CHECK(refused.status().code() == Code::out_of_memory);
  CHECK_THAT(refused.status().message(), Catch::Contains("the limit is 8192"));
  TwoSides same(config("", pinned), config("[pipeline]\njob_format = \"evaluations\"\n", pinned));
  const auto* const first = same.prover().allocators().front().get();
  same.prover().use(1);
  CHECK(same.prover().allocators().front().get() == first);
}

TEST_CASE("each configuration has its own order of backends") {
  TwoSides sides(config(), config("", "allocator = \"alloc-heap\"\nbackends = [\"toy-backend-b\"]"));
  CHECK(sides.prover().prove(request())->parts.at(0).backend == "toy-backend");
  sides.prover().use(1);
  CHECK(sides.prover().prove(request())->parts.at(0).backend == "toy-backend-b");
}

TEST_CASE("what is wrong with either configuration is said at once") {
  TwoSides sides(config("", "allocator = \"alloc-heep\"\nbackends = [\"toy-backend\"]"), config());
  CHECK(sides.opened.status().code() == Code::invalid_config);
  TwoSides both(config("[pipeline]\njob_format = \"witness\"\n[plugin.toy-backend]\nonly_evaluations = true\n"),
                config("", "allocator = \"alloc-heep\"\nfallback = \"alloc-hope\"\nbackends = [\"toy-backend\"]"));
  CHECK_THAT(both.opened.status().message(),
             Catch::Contains("alloc-heep") && Catch::Contains("alloc-hope") && Catch::Contains("job_format = witness"));
  TwoSides unused(config(), config("[plugin.toy-pinned]\nlimt = \"1MiB\"\n[plugin.toy-pined]\nlimit = \"1MiB\""));
  CHECK_THAT(unused.opened.status().message(),
             Catch::Contains("did you mean \"limit\"?") && Catch::Contains("did you mean \"toy-pinned\"?"));
}

TEST_CASE("bytes the caller makes are charged until he returns them") {
  Host host;
  {
    const auto held = host.prover().reserve({"load", std::nullopt, ""}, Bytes(1 << 20), "load generator");
    REQUIRE(held.ok());
    CHECK(host.space().used == Bytes(1 << 20));
  }
  CHECK(host.space().used == Bytes());
  CHECK(host.prover().reserve({"load", std::nullopt, ""}, Bytes(1 << 30), "load generator").status().code() ==
        Code::over_budget);
}
