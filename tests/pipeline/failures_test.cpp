// Failures at every stage, and what the host makes of each: everything is given back, and the right thing is tried
// next.
#include <thread>

#include "host.hpp"

using namespace toy;
using Catch::Contains;

namespace {

struct Place {
  const char* plugin;
  const char* stage;
};
const Place places[] = {{"toy-proof", "open"},     {"toy-proof", "plan"},     {"toy-backend", "backend_plan"},
                        {"toy-proof", "load"},     {"toy-backend", "load"},   {"toy-proof", "synthesize"},
                        {"toy-backend", "start"},  {"toy-backend", "finish"}, {"toy-proof", "verify_part"},
                        {"toy-proof", "assemble"}, {"toy-proof", "verify"}};

}  // namespace

TEST_CASE("A failure at any stage fails the job with its words, returns everything, and the next job succeeds") {
  const std::vector<std::pair<std::string, Code>> actions = {{"invalid_input", Code::invalid_input},
                                                             {"unsupported", Code::unsupported},
                                                             {"internal", Code::internal},
                                                             {"throw", Code::internal},
                                                             {"strange_status", Code::internal}};
  for (const Place& place : places) {
    for (const auto& [action, code] : actions) {
      INFO(place.plugin << " " << place.stage << " " << action);
      Host host(config(script(place.plugin, {std::string(place.stage) + ":1:" + action})));
      const auto failed = host.prover().prove(request(3));
      REQUIRE_FALSE(failed.ok());
      CHECK(failed.status().code() == code);
      CHECK_THAT(failed.status().message(), Contains(place.plugin));
      if (action == "strange_status")
        CHECK_THAT(failed.status().message(), Contains("status 77"));
      else
        CHECK_THAT(failed.status().message(), Contains("scripted") && Contains(place.stage));
      host.check_all_returned();
      const auto next = host.prover().prove(request(3));
      INFO(next.status().text());
      CHECK(next.ok());
      host.check_all_returned();
      const auto jobs = host.prover().snapshot().jobs;
      CHECK(jobs.at(0).state == "failed");
      CHECK(jobs.at(0).error == failed.status().message());
      for (const PluginStatus& plugin : host.prover().snapshot().plugins)
        CHECK(plugin.strikes == (code == Code::internal && plugin.id == place.plugin ? 1u : 0u));
    }
  }
}

TEST_CASE("Cancellation at any stage ends the job as cancelled and returns everything") {
  for (const Place& place : places) {
    const std::string stage = place.stage;
    if (stage == "plan" || stage == "backend_plan" || stage == "assemble") continue;  // quick, without a call to poll
    INFO(place.plugin << " " << stage);
    Host host(config(script(place.plugin, {stage + ":1:hang"})));
    Prover& prover = host.prover();
    std::stop_source stop;
    Result<ProveResult> result = Status(Code::internal, "not run");
    const auto begin = std::chrono::steady_clock::now();
    {
      std::jthread client([&] { result = prover.prove(request(3), stop.get_token()); });
      host.wait_for_hang(stage);
      stop.request_stop();
    }
    CHECK(result.status().code() == Code::cancelled);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
    host.check_all_returned();
    CHECK(prover.prove(request(3)).ok());
    CHECK(prover.snapshot().jobs.at(0).state == "cancelled");
  }
}

TEST_CASE("A prover that is closed while it works cancels and returns") {
  Host host(config(script("toy-backend", {"start:*:hang"})));
  Prover& prover = host.prover();
  Result<ProveResult> result = Status(Code::internal, "not run");
  std::jthread client([&] { result = prover.prove(request(3)); });
  while (prover.snapshot().jobs.empty() || prover.snapshot().jobs[0].partitions.empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  host.opened = Status(Code::cancelled, "closed");
  client.join();
  CHECK(result.status().code() == Code::cancelled);
}

TEST_CASE("A part that does not verify is proved again, and its device is struck") {
  SECTION("on the same device when there is no other") {
    Host host(config(script("toy-backend", {"start:1:flip"})));
    const auto result = host.prover().prove(request());
    INFO(result.status().text());
    REQUIRE(result.ok());
    CHECK(result->parts[0].attempts == 2);
    CHECK(host.prover().verify(request(), result->proof).ok());
    CHECK(host.prover().devices()[0].self_check_failures == 1);
    CHECK(host.log.count(LogLevel::warn) == 1);
  }
  SECTION("on another device where there is one") {
    Host host(config(script("toy-backend", {"finish@0:*:flip"}, "devices = 2")));
    const auto result = host.prover().prove(request());
    REQUIRE(result.ok());
    CHECK(result->parts[0].attempts == 2);
    CHECK_THAT(result->parts[0].device, Contains("device 1"));
    CHECK(host.prover().devices()[0].self_check_failures == 1);
    CHECK(host.prover().devices()[1].self_check_failures == 0);
  }
  SECTION("on another backend where there is one, and that is visible") {
    Host host(config(script("toy-backend", {"start:*:flip"}),
                     "allocator = \"alloc-heap\"\nbackends = [\"toy-backend\", \"toy-backend-b\"]"));
    const auto result = host.prover().prove(request());
    REQUIRE(result.ok());
    CHECK(result->parts[0].backend == "toy-backend-b");
    CHECK(result->degraded);
  }
  SECTION("from synthesis, so that a bad buffer is made anew") {
    Host host(config(script("toy-proof", {"synthesize:1:flip"})));
    const auto result = host.prover().prove(request());
    REQUIRE(result.ok());
    CHECK(result->parts[0].attempts == 2);
  }
  SECTION("also when the backend itself finds out") {
    Host host(config(script("toy-backend", {"finish:1:proof_invalid"})));
    CHECK(host.prover().prove(request())->parts[0].attempts == 2);
  }
}

TEST_CASE("A device that never gets it right: no proof, and no more work for it") {
  Host host(config(script("toy-backend", {"start:*:flip"})));
  const auto first = host.prover().prove(request());
  CHECK(first.status().code() == Code::proof_invalid);
  CHECK_THAT(first.status().message(),
             Contains("self_check: no proof after 2 attempts") && Contains("toy-backend device 0"));
  host.check_all_returned();
  const auto second = host.prover().prove(request());  // the third strike is the last
  CHECK_FALSE(second.ok());
  CHECK_FALSE(host.prover().devices()[0].usable);
  CHECK_THAT(host.prover().devices()[0].reason, Contains("quarantined: 3 parts within an hour did not verify"));
  const auto third = host.prover().prove(request());
  CHECK(third.status().code() == Code::device_lost);
  CHECK_THAT(third.status().message(), Contains("no device is left for toy-1k") && Contains("quarantined"));
  CHECK(host.prover().snapshot().degraded);
  host.check_all_returned();
}

TEST_CASE("A proof whose parts verify but which does not verify itself is never handed out") {
  Host host(config(script("toy-proof", {"assemble:1:flip"})));
  const auto result = host.prover().prove(request(2));
  CHECK(result.status().code() == Code::proof_invalid);
  host.check_all_returned();
}

TEST_CASE("Out of memory: evict, once more, then fail") {
  for (const char* stage : {"start", "finish", "load"}) {
    INFO(stage);
    {
      Host host(config(script("toy-backend", {std::string(stage) + ":1:out_of_memory"})));
      const auto result = host.prover().prove(request());
      INFO(result.status().text());
      REQUIRE(result.ok());
      host.check_all_returned();
    }
    Host host(config(script("toy-backend", {std::string(stage) + ":*:out_of_memory"})));
    const auto result = host.prover().prove(request());
    CHECK(result.status().code() == Code::out_of_memory);
    CHECK(host.prover().devices()[0].usable);
    host.check_all_returned();
  }
}

TEST_CASE("One job in ten runs out of memory: nine others do not notice") {
  Host host(config(script("toy-backend", {"start:3:out_of_memory", "start:4:out_of_memory"})));
  int failed = 0;
  for (int job = 0; job < 10; ++job) failed += !host.prover().prove(request()).ok();
  CHECK(failed == 1);
  host.check_all_returned();
}

TEST_CASE("A lost device is left out, and its partitions go elsewhere") {
  SECTION("to the other device") {
    Host host(config(script("toy-backend", {"start@0:*:device_lost"}, "devices = 2")));
    const auto result = host.prover().prove(request(8));
    INFO(result.status().text());
    REQUIRE(result.ok());
    CHECK_FALSE(host.prover().devices()[0].usable);
    CHECK(host.prover().devices()[1].usable);
    host.check_all_returned();
    const auto next = host.prover().prove(request(4));
    REQUIRE(next.ok());
    for (const PartResult& part : next->parts) CHECK_THAT(part.device, Contains("device 1"));
  }
  SECTION("nowhere when it was the only one") {
    Host host(config(script("toy-backend", {"finish:*:device_lost"})));
    const auto result = host.prover().prove(request(2));
    CHECK_FALSE(result.ok());
    CHECK_THAT(result.status().message(), Contains("scripted device_lost"));
    CHECK(host.log.count(LogLevel::error) == 1);
    host.check_all_returned();
  }
}

TEST_CASE("An allocator that gives the same memory twice costs only the job that asked") {
  Host host(config(script("toy-pinned", {"allocate:6:flip"}) + script("toy-backend", {"start:1:sleep300"}),
                   "self_test = false\nallocator = \"toy-pinned\"\nbackends = [\"toy-backend\"]"));
  Prover& prover = host.prover();
  Result<ProveResult> first = Status(Code::internal, "not run");
  {
    std::atomic<bool> at_work{false};
    std::jthread client([&] {
      first = prover.prove(request(), {}, [&](const auto& now) { at_work = at_work || now.stage == "start"; });
    });
    while (!at_work) std::this_thread::yield();  // with five slabs, that of the shape among them
    const Status second = prover.prove(request()).status();
    CHECK(second.code() == Code::internal);
    CHECK_THAT(second.message(), Contains("toy-pinned allocate broke a rule") && Contains("overlaps one that lives"));
  }
  INFO(first.status().text());
  REQUIRE(first.ok());
  CHECK(first->parts[0].attempts == 1);
  CHECK(prover.devices()[0].self_check_failures == 0);
  host.check_all_returned();
  CHECK(prover.prove(request()).ok());
}

TEST_CASE("What is loaded at a null pointer is handed to nobody") {
  for (const char* derived : {"false", "true"}) {  // to who proves, and to who loads from it
    Host host(config(script("toy-proof", {"load:1:flip"}) + "[plugin.toy-backend]\nderived = " + derived));
    const Status failed = host.prover().prove(request()).status();
    CHECK(failed.code() == Code::internal);
    CHECK_THAT(failed.message(), Contains("toy-proof view broke a rule: 8192 bytes at a null pointer"));
    host.check_all_returned();
    CHECK(host.prover().prove(request()).ok());  // it is loaded anew
  }
}

TEST_CASE("What a plugin keeps after a call is taken back, reported, and harms nobody") {
  Host host(
      config(script("toy-proof", {"synthesize:*:leak"}) + script("toy-backend", {"start:*:leak", "finish:*:leak"})));
  const auto result = host.prover().prove(request(2));
  REQUIRE(result.ok());
  host.check_all_returned();
  std::size_t reports = 0;
  for (const auto& line : host.log.lines())
    reports += line.text.find("taken back at the end of a call") != std::string::npos;
  CHECK(reports == 2 * 3 * 2);  // buffer and reservation, of three calls, of two partitions
}

TEST_CASE("Requests that make no sense") {
  Host host;
  auto wrong = request();
  wrong.family = "tin";
  CHECK(host.prover().prove(wrong).status().text() ==
        "invalid_input: no proof plugin here has the family \"tin\"; there are: toy");
  auto field = request();
  field.fields.push_back({"color", 1, {}});
  CHECK_THAT(host.prover().prove(field).status().text(), Contains("field color is not one of"));
  auto huge = request();
  huge.parts.push_back({"big", std::vector<std::uint8_t>(std::size_t{80} << 20)});
  const auto status = host.prover().prove(huge).status();
  CHECK(status.code() == Code::over_budget);
  CHECK_THAT(status.message(), Contains("64.0 MiB"));
  host.check_all_returned();
}
