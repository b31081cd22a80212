// The C++ wrapper against the C tables it makes: growth of structs, exceptions, ownership.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <pinion/plugin.hpp>
#include <pinion/testing/fake_host.hpp>
#include <stdexcept>
#include <string>

namespace {

int live_operations = 0;

struct ToyOperation final : pinion::Operation {
  ToyOperation() { ++live_operations; }
  ~ToyOperation() override { --live_operations; }
  std::uint64_t finish(pinion::Call&, std::span<std::uint8_t> out) override {
    out[0] = 42;
    return 1;
  }
};

const char* const formats[] = {"toy.job/1"};

class Toy final : public pinion::Allocator, public pinion::Backend {
 public:
  Toy(pinion::Host host, const pinion::Options& options) : host_(host) {
    const std::int64_t tries = options.integer("tries");
    if (tries < 0) throw pinion::Error(PINION_INVALID_CONFIG, "tries is " + std::to_string(tries) + ", below 0", 22);
    host_.info("made");
  }
  pinion_allocator_info describe_allocator() const noexcept override {
    pinion_allocator_info info{};
    info.kind = PINION_MEMORY_PAGEABLE;
    info.granularity = info.alignment = 4096;
    info.max_slab = 8192;
    info.slow = 1;
    return info;
  }
  void* allocate(std::uint64_t bytes, const pinion_placement&) override {
    if (bytes > 8192) throw std::bad_alloc{};
    return std::aligned_alloc(4096, bytes);
  }
  void release(void* slab, std::uint64_t) noexcept override { std::free(slab); }

  pinion_backend_info describe_backend() const noexcept override {
    pinion_backend_info info{};
    info.device_count = info.format_count = 1;
    info.formats = formats;
    return info;
  }
  pinion_device_info device(std::uint32_t i) const override {
    if (i > 0) throw pinion::Error(PINION_INVALID_INPUT, "no device " + std::to_string(i));
    return {};
  }
  pinion_backend_plan plan(std::uint32_t, std::string_view, std::span<const pinion_resource* const>) override {
    throw std::runtime_error("boom");
  }
  std::unique_ptr<pinion::Operation> start(std::uint32_t device, const pinion_job&, std::span<const pinion_loaded>,
                                           std::span<const pinion_buffer>, pinion::Call& call) override {
    call.check();
    if (device == 7) throw 7;
    return device == 8 ? nullptr : std::make_unique<ToyOperation>();
  }
  std::optional<std::chrono::nanoseconds> busy_time(std::uint32_t device) const override {
    if (device > 1) throw pinion::Error(PINION_INVALID_INPUT, "no device " + std::to_string(device));
    return device == 0 ? std::optional(std::chrono::nanoseconds(77)) : Backend::busy_time(device);
  }
  std::optional<std::uint32_t> memory_seen(std::uint32_t device, std::span<const std::byte> memory) const override {
    if (device > 1) throw pinion::Error(PINION_INVALID_INPUT, "no device " + std::to_string(device));
    if (device == 1) return Backend::memory_seen(device, memory);
    return memory.size() == 5 && memory.front() == std::byte{'h'} ? PINION_SEEN_PINNED : PINION_SEEN_MIXED;
  }

 private:
  pinion::Host host_;
};

using Tables = pinion::detail::Interfaces<Toy>;
constexpr pinion_plugin_info info = pinion::detail::info_of<Toy>(
    {.id = "toy", .name = "Toy", .version = "1.0.0", .licence = "MIT", .description = "For tests."});
constexpr pinion_plugin_entry entry = pinion::detail::entry_of<Toy>(&info);

template <class T>
const T& table(const char* id) {
  return *static_cast<const T*>(entry.query(nullptr, id));
}

// An instance made through the entry, as a host makes it.
struct Instance {
  pinion::testing::FakeHost host;
  pinion_error err = pinion::empty_error();
  void* self = nullptr;
  pinion_status status;

  explicit Instance(std::int64_t tries = 1) {
    const pinion_option option{"tries", PINION_OPTION_INTEGER, 0, tries, nullptr, nullptr};
    status = entry.create(host.table(), &option, 1, &self, &err);
  }
  ~Instance() {
    if (self != nullptr) entry.destroy(self);
  }
};

}  // namespace

TEST_CASE("a class offers exactly the interfaces it derives from") {
  REQUIRE(info.interface_count == 2);
  CHECK(std::string(info.interfaces[0]) == "pinion.allocator/1");
  CHECK(std::string(info.interfaces[1]) == "pinion.backend/1");
  for (const char* id : {"pinion.proof/1", "pinion.allocator/1x", "pinion.allocator", "", "pinion.backend/2"})
    CHECK(entry.query(nullptr, id) == nullptr);
}

TEST_CASE("create: options arrive, errors keep their code and sentence") {
  Instance good;
  REQUIRE(good.status == PINION_OK);
  REQUIRE(good.host.lines().size() == 1);
  CHECK(good.host.lines()[0].text == "made");

  Instance bad(-3);
  CHECK(bad.status == PINION_INVALID_CONFIG);
  CHECK(bad.self == nullptr);
  CHECK(std::string(bad.err.message) == "tries is -3, below 0");
  CHECK(bad.err.native_code == 22);
}

TEST_CASE("an undeclared or missing option is the plugin's mistake") {
  pinion::testing::FakeHost host;
  pinion_error err = pinion::empty_error();
  void* self = nullptr;
  CHECK(entry.create(host.table(), nullptr, 0, &self, &err) == PINION_INTERNAL);
  CHECK(std::string(err.message).find("'tries'") != std::string::npos);
}

TEST_CASE("an older, shorter caller is not overrun, a newer one keeps its own tail") {
  Instance toy;
  const auto& allocator = table<pinion_allocator>(PINION_ALLOCATOR);
  struct {
    pinion_allocator_info info;
    std::uint64_t canary = 0x1122334455667788;
  } newer{};
  newer.info.size = sizeof newer;
  allocator.describe(toy.self, &newer.info);
  CHECK(newer.info.size == sizeof newer);
  CHECK(newer.info.slow == 1);
  CHECK(newer.canary == 0x1122334455667788);

  pinion_allocator_info older{};
  older.size = offsetof(pinion_allocator_info, max_slab);
  older.max_slab = 77;
  older.slow = 88;
  allocator.describe(toy.self, &older);
  CHECK(older.size == offsetof(pinion_allocator_info, max_slab));
  CHECK(older.granularity == 4096);
  CHECK(older.max_slab == 77);
  CHECK(older.slow == 88);
  CHECK(PINION_HAS(&older, pinion_allocator_info, alignment));
  CHECK_FALSE(PINION_HAS(&older, pinion_allocator_info, max_slab));
}

TEST_CASE("exceptions become statuses") {
  Instance toy;
  const auto& allocator = table<pinion_allocator>(PINION_ALLOCATOR);
  const auto& backend = table<pinion_backend>(PINION_BACKEND);
  const pinion_placement anywhere{sizeof(pinion_placement), -1, 0, 0, {}};
  void* slab = &toy;
  CHECK(allocator.allocate(toy.self, 16384, &anywhere, &slab, nullptr) == PINION_OUT_OF_MEMORY);
  CHECK(slab == nullptr);
  REQUIRE(allocator.allocate(toy.self, 8192, &anywhere, &slab, &toy.err) == PINION_OK);
  allocator.release(toy.self, slab, 8192);

  pinion_device_info device{};
  device.size = sizeof device;
  CHECK(backend.device(toy.self, 3, &device, &toy.err) == PINION_INVALID_INPUT);
  CHECK(std::string(toy.err.message) == "no device 3");
  pinion_backend_plan plan{};
  plan.size = sizeof plan;
  CHECK(backend.plan(toy.self, 0, "toy.job/1", nullptr, 0, &plan, &toy.err) == PINION_INTERNAL);
  CHECK(std::string(toy.err.message) == "boom");
}

TEST_CASE("how long a device computed is told, or said not to be known") {
  Instance toy;
  const auto& backend = table<pinion_backend>(PINION_BACKEND);
  pinion_device_usage usage{};
  usage.size = sizeof usage;
  REQUIRE(backend.usage(toy.self, 0, &usage, &toy.err) == PINION_OK);
  CHECK(usage.busy_ns == 77);
  CHECK(backend.usage(toy.self, 1, &usage, &toy.err) == PINION_UNSUPPORTED);  // what a backend that says nothing has
  CHECK(backend.usage(toy.self, 2, &usage, &toy.err) == PINION_INVALID_INPUT);
}

TEST_CASE("how a device sees memory is told, or said not to be known") {
  Instance toy;
  const auto& backend = table<pinion_backend>(PINION_BACKEND);
  pinion_memory_seen seen{};
  seen.size = sizeof seen;
  REQUIRE(backend.memory_seen(toy.self, 0, "hello", 5, &seen, &toy.err) == PINION_OK);
  CHECK(seen.kind == PINION_SEEN_PINNED);
  CHECK(seen.size == sizeof seen);
  struct Longer {  // as a newer host has it
    pinion_memory_seen known;
    std::uint64_t newer;
  } longer{{sizeof(Longer), 77}, 88};
  REQUIRE(backend.memory_seen(toy.self, 0, "hello", 4, &longer.known, nullptr) == PINION_OK);
  CHECK(longer.known.kind == PINION_SEEN_MIXED);
  CHECK(longer.newer == 88);
  CHECK(backend.memory_seen(toy.self, 1, "hello", 5, &seen, &toy.err) == PINION_UNSUPPORTED);
  CHECK(backend.memory_seen(toy.self, 2, "hello", 5, &seen, &toy.err) == PINION_INVALID_INPUT);
  CHECK(std::string(toy.err.message) == "no device 2");
}

TEST_CASE("an operation is owned by the caller until finish or abandon") {
  Instance toy;
  const auto& backend = table<pinion_backend>(PINION_BACKEND);
  pinion::testing::FakeCall call;
  const pinion_job job{sizeof(pinion_job), 0, "toy.job/1", nullptr};
  const auto start = [&](std::uint32_t device, const pinion_call* c, void** op) {
    return backend.start(toy.self, device, &job, nullptr, 0, nullptr, 0, c, op, &toy.err);
  };
  void* op = nullptr;
  REQUIRE(start(0, call.table(), &op) == PINION_OK);
  CHECK(live_operations == 1);
  std::uint8_t out[4] = {};
  std::uint64_t written = 0;
  CHECK(backend.finish(toy.self, op, call.table(), out, sizeof out, &written, &toy.err) == PINION_OK);
  CHECK((written == 1 && out[0] == 42 && live_operations == 0));

  REQUIRE(start(0, call.table(), &op) == PINION_OK);
  backend.abandon(toy.self, op);
  CHECK(live_operations == 0);

  void* untouched = &toy;
  CHECK(start(7, call.table(), &untouched) == PINION_INTERNAL);  // throws an int
  CHECK(start(8, call.table(), &untouched) == PINION_INTERNAL);  // returns nothing
  call.cancel();
  CHECK(start(0, call.table(), &untouched) == PINION_CANCELLED);
  CHECK(untouched == &toy);
}

TEST_CASE("a long message is cut at a character boundary") {
  pinion_error err = pinion::empty_error();
  std::string text(502, 'x');
  text += "\u20ac";  // three bytes, of which one would fit
  CHECK(pinion::fail(&err, PINION_INTERNAL, text, 5) == PINION_INTERNAL);
  CHECK(std::string(err.message) == std::string(502, 'x'));
  CHECK(pinion::fail(nullptr, PINION_INTERNAL, text) == PINION_INTERNAL);
}
