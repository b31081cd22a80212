// The whole way of jobs through the plugin: parts, cancellation, faults, refusals. Where the plugin is the emulated one
// this needs no device.
#include <cstdlib>
#include <fstream>

#include "cuda_plugin.hpp"

using namespace pinion;
using namespace pinion::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

std::string code(pinion_status status) {
  return std::to_string(status) + " ";
}

// Proves one job and gives the part, or what failed and where.
std::string prove(Loaded& loaded, Form form, std::size_t which = 1, std::size_t proof = 0) {
  TestJob job(loaded, form, which, proof);
  const FakeCall starting, finishing;
  void* op = nullptr;
  Failure failure;
  pinion_status status = loaded.start(job.job, starting, &op, &failure.error);
  if (status != PINION_OK) return "start " + failure.text(status);
  job.scrub();
  Bytes part;
  status = loaded.finish(op, finishing, part, &failure.error);
  return status == PINION_OK ? to_hex(part) : "finish " + failure.text(status);
}

}  // namespace

TEST_CASE("every form of a job gives the reference's parts") {
  const Plugin plugin;
  const std::vector<Form> forms[] = {
      {Form::plain, Form::packed, Form::evaluations}, {Form::evaluations}, {Form::packed}};
  for (std::size_t i = 0; i < std::size(small_system_names); ++i) {
    Loaded loaded(plugin, small_system_names[i]);
    REQUIRE(loaded.load() == "");
    for (const Form form : forms[i]) {
      CAPTURE(small_system_names[i], static_cast<int>(form));
      CHECK(prove(loaded, form, 1, i % 2) == expected(loaded, 1, i % 2));
    }
  }
}

TEST_CASE("spans name the copies, then the device's work") {
  const Plugin plugin;
  Loaded loaded(plugin, "tiny");
  REQUIRE(loaded.load() == "");
  TestJob job(loaded, Form::evaluations);
  const FakeCall starting, finishing;
  void* op = nullptr;
  REQUIRE(loaded.start(job.job, starting, &op) == PINION_OK);
  CHECK(starting.spans() == std::vector<std::string>{"copy witness", "copy evaluations"});
  Bytes part;
  REQUIRE(loaded.finish(op, finishing, part) == PINION_OK);
  const std::vector<std::string> sums{"sum b_g2", "multiply scalars", "sum b_g2", "add ones", "sum witness"},
      quotient{"NTT", "coset INTT", "quotient transforms", "sum h", "sum quotient"};
  std::vector<std::string> all = sums;
  all.insert(all.end(), quotient.begin(), quotient.end());
  CHECK(finishing.spans() == all);
}

TEST_CASE("a proof's kernels count as the device's busy time once it is finished; copies do not") {
  const Plugin plugin;
  Loaded loaded(plugin, "tiny");
  REQUIRE(loaded.load() == "");
  const auto busy_ns = [&] {
    pinion_device_usage usage{};
    usage.size = sizeof usage;
    CHECK(plugin.backend->usage(plugin.self(), 0, &usage, nullptr) == PINION_OK);
    return usage.busy_ns;
  };
  CHECK(busy_ns() == 0);
  std::uint64_t before = 0;
  for (const Form form : {Form::packed, Form::evaluations}) {
    const auto begin = std::chrono::steady_clock::now();
    CHECK(prove(loaded, form, 1, 0) == expected(loaded, 1, 0));
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
    const std::uint64_t spent = busy_ns() - std::exchange(before, busy_ns());
    CHECK(spent > 0);
    CHECK(spent <= static_cast<std::uint64_t>(took.count()));
  }
  pinion_device_usage usage{};
  usage.size = sizeof usage;
  CHECK(plugin.backend->usage(plugin.self(), 99, &usage, nullptr) == PINION_INVALID_INPUT);
}

TEST_CASE("ordinary memory is seen as pageable, of a device that there is") {
  const Plugin plugin;
  const std::vector<std::uint8_t> memory(1 << 20);
  pinion_memory_seen seen{};
  seen.size = sizeof seen;
  REQUIRE(plugin.backend->memory_seen(plugin.self(), 0, memory.data(), memory.size(), &seen, nullptr) == PINION_OK);
  CHECK(seen.kind == PINION_SEEN_PAGEABLE);
  Failure failure;
  CHECK(plugin.backend->memory_seen(plugin.self(), 99, memory.data(), 1, &seen, &failure.error) ==
        PINION_INVALID_INPUT);
}

TEST_CASE("two operations at once do not meet") {
  const Plugin plugin;
  Loaded loaded(plugin, "tiny");
  REQUIRE(loaded.load() == "");
  TestJob first(loaded, Form::packed, 1, 0), second(loaded, Form::plain, 0, 1);
  const FakeCall call;
  void *one = nullptr, *other = nullptr;
  REQUIRE(loaded.start(first.job, call, &one) == PINION_OK);
  REQUIRE(loaded.start(second.job, call, &other) == PINION_OK);
  Bytes part;
  REQUIRE(loaded.finish(other, call, part) == PINION_OK);
  CHECK(to_hex(part) == expected(loaded, 0, 1));
  REQUIRE(loaded.finish(one, call, part) == PINION_OK);
  CHECK(to_hex(part) == expected(loaded, 1, 0));
}

TEST_CASE("a cancelled start or finish says so, an abandoned operation leaves nothing, and the next job works") {
  const Plugin plugin;
  Loaded loaded(plugin, "tiny");
  REQUIRE(loaded.load() == "");
  TestJob job(loaded, Form::plain);
  void* op = nullptr;
  const FakeCall cancelled(CallSettings{.cancel_after = 0}), fine;
  CHECK(loaded.start(job.job, cancelled, &op) == PINION_CANCELLED);
  CHECK(op == nullptr);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(loaded.start(job.job, fine, &op) == PINION_OK);
    plugin.backend->abandon(plugin.self(), op);
  }
  CHECK(prove(loaded, Form::plain) == expected(loaded, 1, 0));
}

TEST_CASE("what is planned and described is what is taken") {
  const auto proved = [](std::int64_t memory, std::int64_t& needed) {
    const Plugin plugin({.memory = memory});
    Loaded loaded(plugin, "tiny");
    REQUIRE(loaded.load() == "");
    CHECK(loaded.plan.need_count == 0);
    CHECK(loaded.plan.part_bytes == PINION_GROTH16_PART_BYTES);
    needed =
        static_cast<std::int64_t>(loaded.info[0].device_bytes + loaded.info[1].device_bytes + loaded.plan.device_bytes);
    const std::string part = prove(loaded, Form::packed);
    return part == expected(loaded, 1, 0) ? "as expected" : part;
  };
  std::int64_t needed = 0;
  const std::int64_t spare = 1 << 20;  // the end of a shape, whose number of inputs is not known when it is described
  CHECK(proved(0, needed) == "as expected");
  CHECK(proved(needed, needed) == "as expected");
  CHECK_THAT(proved(needed - spare - (256 << 10), needed), StartsWith("start " + code(PINION_OUT_OF_MEMORY)) &&
                                                               Contains("for a proof") &&
                                                               Contains("the largest piece has"));
}

TEST_CASE("a drill fails as the real thing would, once, and says what was lost") {
  for (const char* stage : {"load", "start", "finish"}) {
    CAPTURE(stage);
    const Plugin plugin({.fault = "out-of-memory", .fault_stage = stage});
    Loaded loaded(plugin, "tiny");
    const std::string load = loaded.load();
    if (std::string(stage) == "load") {
      CHECK_THAT(load, StartsWith(code(PINION_OUT_OF_MEMORY)));
      continue;
    }
    REQUIRE(load == "");
    CHECK_THAT(prove(loaded, Form::plain), StartsWith(stage + (" " + code(PINION_OUT_OF_MEMORY))));
    CHECK(prove(loaded, Form::plain) == expected(loaded, 1, 0));
  }
}

TEST_CASE("jobs that do not fit are refused with what is wrong") {
  const Plugin plugin;
  Loaded loaded(plugin, "above");
  REQUIRE(loaded.load() == "");
  const auto refused = [&](auto&& spoil) {
    TestJob job(loaded, Form::packed);
    spoil(job);
    const FakeCall call;
    void* op = nullptr;
    Failure failure;
    const pinion_status status = loaded.start(job.job, call, &op, &failure.error);
    CHECK(op == nullptr);
    return failure.text(status);
  };
  const std::string invalid = code(PINION_INVALID_INPUT) + "job: ";
  CHECK_THAT(refused([](TestJob& job) { job.witness.num_aux = 3; }), StartsWith(invalid + "3 aux, the shape has 246"));
  CHECK_THAT(refused([](TestJob& job) { job.witness.num_scalars -= 1; }), StartsWith(invalid + "witness: "));
  CHECK_THAT(refused([](TestJob& job) { job.witness.form = 7; }), StartsWith(invalid + "unknown form"));
  CHECK_THAT(refused([](TestJob& job) { job.inputs[0] = Fr::zero(); }), StartsWith(invalid + "witness: input 0"));
  CHECK_THAT(refused([](TestJob& job) { job.bits[0] = ~std::uint64_t{0}; }),
             StartsWith(invalid + "witness: a bit is set"));
  CHECK_THAT(refused([](TestJob& job) { job.job.format = "pinion.job.other/1"; }),
             StartsWith(code(PINION_UNSUPPORTED)));
  CHECK_THAT(refused([](TestJob& job) { job.job.payload = nullptr; }), StartsWith(invalid + "no payload"));
}

TEST_CASE("a key file with a bad point is refused with the point") {
  const Plugin plugin;
  const TemporaryDirectory folder;
  const Bytes good = read_file(small_systems() / "exact.params");
  const auto refused = [&](std::size_t byte_from_end, std::uint8_t flip) {
    Bytes bad = good;
    bad[bad.size() - byte_from_end] ^= flip;
    Loaded loaded(plugin, "exact");
    const auto path = folder.path() / "bad.params";
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bad.data()), std::ssize(bad));
    loaded.use_file(path.string());
    return loaded.load();
  };
  const std::string invalid = code(PINION_INVALID_CONFIG);
  CHECK_THAT(refused(1, 1), StartsWith(invalid) && Contains("b_g2[") && Contains("not on the curve"));
  CHECK_THAT(refused(192, 0x40), StartsWith(invalid) && Contains("b_g2["));
  CHECK_THAT(refused(192, 0x80), StartsWith(invalid) && Contains("b_g2["));
  CHECK_THAT(refused(192, 0x1f), StartsWith(invalid) && Contains("b_g2["));
}

TEST_CASE("a key file with another digest than it was made with is refused before any proof is made with it") {
  const Plugin plugin;
  Loaded loaded(plugin, "exact");
  loaded.use_digest(std::string(128, '0'));
  CHECK_THAT(loaded.load(), StartsWith(code(PINION_INVALID_CONFIG)) && Contains("differs from when it was made"));
}

TEST_CASE("what the backend says of itself, its devices and its health") {
  const Plugin plugin;
  pinion_backend_info info{};
  info.size = sizeof info;
  plugin.backend->describe(plugin.self(), &info);
  REQUIRE(info.device_count >= 1);
  CHECK(info.dma_kinds == PINION_MEMORY_PINNED);
  CHECK(info.accepted_kinds == PINION_MEMORY_ANY);
  pinion_device_info device{};
  device.size = sizeof device;
  REQUIRE(plugin.backend->device(plugin.self(), 0, &device, nullptr) == PINION_OK);
  CHECK(device.memory_bytes > 0);
  CHECK(device.has_uuid == 1);
  CHECK_THAT(device.address, Contains(":"));
  CHECK(std::string(device.ineligible) == "");
  CHECK(plugin.backend->device(plugin.self(), info.device_count, &device, nullptr) == PINION_INVALID_INPUT);
  std::vector<std::string> findings;
  const pinion_health_sink sink{&findings, [](void* to, int32_t, const char* what, const char*, const char*) {
                                  static_cast<std::vector<std::string>*>(to)->push_back(what);
                                }};
  plugin.health->examine(plugin.self(), &sink);
  CHECK(std::find(findings.begin(), findings.end(), "device 0") != findings.end());
}

TEST_CASE("options that name nothing are refused") {
  const Plugin none({.devices = {"17"}});
  CHECK(none.status() == PINION_INVALID_CONFIG);
  CHECK_THAT(none.message(), StartsWith("devices: \"17\" names no device; there are: 0 = "));
  const Plugin twice({.devices = {"0", "0"}});
  CHECK(twice.status() == PINION_INVALID_CONFIG);
  const Plugin greedy({.memory = std::int64_t{1} << 50});
  CHECK(greedy.status() == PINION_INVALID_CONFIG);
  CHECK_THAT(greedy.message(), StartsWith("memory: "));
}
