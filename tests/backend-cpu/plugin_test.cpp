// The plugin as a host sees it: loaded from its file, called through its tables, on buffers between guard pages.
#include <dlfcn.h>
#include <pinion/groth16.h>
#include <pinion/pinion.h>

#include <catch2/catch.hpp>
#include <memory>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/testing/fake_host.hpp>

#include "small_system.hpp"

using namespace pinion;
using namespace pinion::test;
using bls::Fr;
using nlohmann::json;
using testing::CallSettings;
using testing::FakeCall;
using testing::FakeHost;
using testing::GuardBuffer;

namespace {

class Plugin {
 public:
  explicit Plugin(const char* kernels) {
    void* const library = dlopen(PLUGIN_PATH, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != nullptr);
    entry_ = static_cast<const pinion_plugin_entry*>(dlsym(library, "pinion_plugin"));
    REQUIRE(entry_ != nullptr);
    const pinion_option option{"kernels", PINION_OPTION_TEXT, 0, 0, kernels, nullptr};
    REQUIRE(entry_->create(host_.table(), &option, 1, &self_, nullptr) == PINION_OK);
    backend = static_cast<const pinion_backend*>(entry_->query(self_, PINION_BACKEND));
    residents = static_cast<const pinion_resident*>(entry_->query(self_, PINION_RESIDENT));
    REQUIRE(backend != nullptr);
    REQUIRE(residents != nullptr);
  }
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  ~Plugin() { entry_->destroy(self_); }
  void* self() const { return self_; }

  const pinion_backend* backend = nullptr;
  const pinion_resident* residents = nullptr;

 private:
  FakeHost host_;
  const pinion_plugin_entry* entry_ = nullptr;
  void* self_ = nullptr;
};

pinion_error no_error() {
  pinion_error error{};
  error.size = sizeof error;
  return error;
}

// A small system's key loaded into the plugin, and everything a start needs but the job.
class Device {
 public:
  Device(const Plugin& plugin, const std::string& name)
      : plugin_(plugin), system(name), shape(system.shape()), file_(system.params.string()) {
    keys_ = {sizeof keys_, 0, "keys", PINION_KEYS_GROTH16, 0, "", file_.c_str()};
    shape_ = {sizeof shape_, 0, "shape", PINION_SHAPE_R1CS, 0, "", ""};
    pinion_resident_info info{};
    info.size = sizeof info;
    REQUIRE(plugin.residents->describe(plugin.self(), &keys_, -1, &info, nullptr) == PINION_OK);
    key_buffer_ = std::make_unique<GuardBuffer>(info.host_bytes, GuardBuffer::Edge::start);
    const pinion_buffer buffer = key_buffer_->buffer();
    const FakeCall call;
    REQUIRE(plugin.residents->load(plugin.self(), &keys_, -1, {}, &buffer, call.table(), &handle_, nullptr) ==
            PINION_OK);
    check(call);
    plan.size = sizeof plan;
    const pinion_resource* const resources[] = {&shape_, &keys_};
    REQUIRE(plugin.backend->plan(plugin.self(), 0, PINION_JOB_GROTH16_WITNESS, resources, 2, &plan, nullptr) ==
            PINION_OK);
    for (std::uint32_t i = 0; i < plan.need_count; ++i) {
      buffers_.push_back(std::make_unique<GuardBuffer>(plan.needs[i].bytes));
      buffers_.back()->scrub(0x5a);
      lent_.push_back(buffers_.back()->buffer(i + 1));
    }
    loaded_[0] = {&shape_, nullptr, {shape->bytes().data(), shape->bytes().size()}};
    loaded_[1] = {&keys_, handle_, {}};
  }
  ~Device() {
    plugin_.residents->unload(plugin_.self(), handle_);
    for (const auto& buffer : buffers_) CHECK(buffer->intact());
    CHECK(key_buffer_->intact());
  }

  static void check(const FakeCall& call) {
    CHECK(call.leaks() == std::vector<std::string>{});
    CHECK(call.violations() == std::vector<std::string>{});
  }

  pinion_status start(const pinion_job& job, const FakeCall& call, void** op, pinion_error* error = nullptr) {
    const pinion_status status =
        plugin_.backend->start(plugin_.self(), 0, &job, loaded_, 2, lent_.data(),
                               static_cast<std::uint32_t>(lent_.size()), call.table(), op, error);
    check(call);
    return status;
  }
  pinion_status finish(void* op, const FakeCall& call, Bytes& part) {
    part.resize(PINION_GROTH16_PART_BYTES);
    std::uint64_t written = 0;
    const pinion_status status =
        plugin_.backend->finish(plugin_.self(), op, call.table(), part.data(), part.size(), &written, nullptr);
    check(call);
    if (status == PINION_OK) CHECK(written == part.size());
    return status;
  }

 private:
  const Plugin& plugin_;

 public:
  SmallSystem system;
  groth16::OwnedShape shape;
  pinion_backend_plan plan{};

 private:
  std::string file_;
  pinion_resource keys_{}, shape_{};
  std::unique_ptr<GuardBuffer> key_buffer_;
  void* handle_ = nullptr;
  std::vector<std::unique_ptr<GuardBuffer>> buffers_;
  std::vector<pinion_buffer> lent_;
  pinion_loaded loaded_[2]{};
};

// A job of one of the system's witnesses; the plain form.
struct TestJob {
  std::vector<Fr> inputs, aux, a, b;
  pinion_groth16_witness witness{};
  pinion_groth16_evaluations evaluations{};

  TestJob(const Device& device, std::size_t which, std::size_t proof) {
    const json& item = device.system.json["witnesses"][which];
    inputs = read_frs(item["inputs"]);
    aux = read_frs(item["aux"]);
    witness.size = sizeof witness;
    witness.form = PINION_WITNESS_PLAIN;
    witness.num_inputs = inputs.size();
    witness.num_aux = witness.num_scalars = aux.size();
    witness.inputs = words(inputs);
    witness.scalars = words(aux);
    witness.r = *words({read_fr(item["proofs"][proof]["r"])});
    witness.s = *words({read_fr(item["proofs"][proof]["s"])});
  }
  pinion_job of_witness() const { return {sizeof(pinion_job), 0, PINION_JOB_GROTH16_WITNESS, &witness}; }
  pinion_job of_evaluations(const Device& device) {
    SerialExecutor serial;
    const groth16::Witness view{inputs, {}, aux};
    a.resize(device.shape->num_rows());
    b.resize(device.shape->num_rows());
    groth16::evaluate(*device.shape, groth16::Matrix::a, view, a, serial);
    groth16::evaluate(*device.shape, groth16::Matrix::b, view, b, serial);
    evaluations = {sizeof evaluations, 0, a.size(), words(a), words(b), nullptr, witness};
    return {sizeof(pinion_job), 0, PINION_JOB_GROTH16_EVALUATIONS, &evaluations};
  }
  // What a host does once start has returned: the job's buffers hold something else.
  void scrub() {
    for (std::vector<Fr>* values : {&inputs, &aux, &a, &b}) std::fill(values->begin(), values->end(), Fr::from_u64(5));
  }

 private:
  static const pinion_fr* words(const std::vector<Fr>& values) {
    return reinterpret_cast<const pinion_fr*>(values.data());
  }
};

std::string expected(const Device& device, std::size_t which, std::size_t proof) {
  return device.system.json["witnesses"][which]["proofs"][proof]["proof"];
}

}  // namespace

TEST_CASE("both job formats give the reference's parts") {
  for (const char* kernels : {"auto", "portable"}) {
    const Plugin plugin(kernels);
    for (const char* name : small_system_names) {
      Device device(plugin, name);
      CAPTURE(kernels, name);
      for (const std::size_t proof : {0U, 1U})
        for (const bool evaluated : {false, true}) {
          TestJob job(device, 1, proof);
          const FakeCall starting, finishing;
          void* op = nullptr;
          REQUIRE(device.start(evaluated ? job.of_evaluations(device) : job.of_witness(), starting, &op) == PINION_OK);
          job.scrub();
          Bytes part;
          REQUIRE(device.finish(op, finishing, part) == PINION_OK);
          CHECK(to_hex(part) == expected(device, 1, proof));
          CHECK(starting.spans() == std::vector<std::string>{"evaluate", "sum witness"});
          CHECK(finishing.spans() == std::vector<std::string>{"sum quotient"});
        }
    }
  }
}

TEST_CASE("a cancelled start or finish says so, and leaves nothing") {
  const Plugin plugin("auto");
  Device device(plugin, "above");
  const TestJob job(device, 0, 0);
  void* op = nullptr;
  for (const std::uint64_t polls : {0U, 1U, 3U, 10U, 40U}) {
    const FakeCall call(CallSettings{.cancel_after = polls});
    CHECK(device.start(job.of_witness(), call, &op) == PINION_CANCELLED);
    CHECK(op == nullptr);
  }
  const FakeCall fine, cancelled(CallSettings{.cancel_after = 2});
  REQUIRE(device.start(job.of_witness(), fine, &op) == PINION_OK);
  Bytes part;
  CHECK(device.finish(op, cancelled, part) == PINION_CANCELLED);
}

TEST_CASE("an abandoned operation leaves nothing") {
  const Plugin plugin("auto");
  Device device(plugin, "exact");
  const TestJob job(device, 0, 0);
  const FakeCall call;
  void* op = nullptr;
  REQUIRE(device.start(job.of_witness(), call, &op) == PINION_OK);
  plugin.backend->abandon(plugin.self(), op);
}

TEST_CASE("a wider pool than planned is charged for, or refused") {
  const Plugin plugin("auto");
  Device device(plugin, "above");
  const TestJob job(device, 0, 0);
  void* op = nullptr;
  const FakeCall poor(CallSettings{.threads = 200, .memory = 1000});
  CHECK(device.start(job.of_witness(), poor, &op) == PINION_OUT_OF_MEMORY);
  CHECK(poor.peak_bytes() == 0);
}

TEST_CASE("jobs that do not fit are refused with what is wrong") {
  const Plugin plugin("auto");
  Device device(plugin, "above");
  const auto refused = [&](auto&& spoil) {
    TestJob job(device, 0, 0);
    pinion_job given = job.of_witness();
    spoil(job, given);
    const FakeCall call;
    void* op = nullptr;
    pinion_error error = no_error();
    const pinion_status status = device.start(given, call, &op, &error);
    CHECK(op == nullptr);
    return std::to_string(status) + " " + error.message;
  };
  const std::string invalid = std::to_string(PINION_INVALID_INPUT) + " job: ";
  using Catch::StartsWith;
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.num_aux = 3; }),
             StartsWith(invalid + "3 aux, the shape has 246"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.num_scalars = 245; }),
             StartsWith(invalid + "a plain witness of 245 scalars"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.form = 7; }),
             StartsWith(invalid + "unknown form of witness 7"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.form = PINION_WITNESS_PACKED; }),
             StartsWith(invalid + "a packed witness without bits"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.scalars = nullptr; }),
             StartsWith(invalid + "246 scalars announced and none given"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.inputs[0] = Fr::zero(); }),
             StartsWith(invalid + "witness: input 0 is not 1"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.num_inputs = 4; }),
             StartsWith(invalid + "witness: 4 inputs, the shape has 5"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.s.limb[3] = ~std::uint64_t{0}; }),
             StartsWith(invalid + "blinding value s is not reduced"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.size = 8; }), StartsWith(invalid + "no payload"));
  CHECK_THAT(refused([](TestJob&, pinion_job& job) { job.payload = nullptr; }), StartsWith(invalid + "no payload"));
  CHECK_THAT(refused([](TestJob&, pinion_job& job) { job.format = "pinion.job.other/1"; }),
             StartsWith(std::to_string(PINION_UNSUPPORTED) + " job: format pinion.job.other/1"));
  CHECK_THAT(refused([&](TestJob& job, pinion_job& given) {
               given = job.of_evaluations(device);
               job.evaluations.rows -= 1;
             }),
             StartsWith(invalid + "evaluations of 256 rows, the shape has 257"));
}

TEST_CASE("files that hold no keys are refused") {
  const Plugin plugin("auto");
  const TemporaryDirectory folder;
  pinion_resident_info info{};
  info.size = sizeof info;
  const auto refused = [&](const std::string& file, const char* format) {
    const pinion_resource resource{sizeof resource, 0, "keys", format, 0, "", file.c_str()};
    pinion_error error = no_error();
    const pinion_status status = plugin.residents->describe(plugin.self(), &resource, -1, &info, &error);
    return std::to_string(status) + " " + error.message;
  };
  const std::string invalid = std::to_string(PINION_INVALID_INPUT) + " ";
  CHECK_THAT(refused((folder.path() / "none").string(), PINION_KEYS_GROTH16), Catch::StartsWith(invalid));
  CHECK_THAT(refused((small_systems() / "tiny.vk").string(), PINION_KEYS_GROTH16), Catch::StartsWith(invalid));
  CHECK_THAT(refused("", PINION_KEYS_GROTH16), Catch::StartsWith(std::to_string(PINION_UNSUPPORTED)));
  CHECK_THAT(refused("", PINION_SHAPE_R1CS), Catch::StartsWith(std::to_string(PINION_UNSUPPORTED)));
}

TEST_CASE("what the backend says of itself") {
  const Plugin plugin("portable");
  pinion_backend_info info{};
  info.size = sizeof info;
  plugin.backend->describe(plugin.self(), &info);
  CHECK(info.device_count == 1);
  CHECK(info.format_count == 2);
  CHECK(info.dma_kinds == PINION_MEMORY_ANY);
  pinion_device_info device{};
  device.size = sizeof device;
  REQUIRE(plugin.backend->device(plugin.self(), 0, &device, nullptr) == PINION_OK);
  CHECK_THAT(device.name, Catch::EndsWith("threads, portable"));
  CHECK(plugin.backend->device(plugin.self(), 1, &device, nullptr) == PINION_INVALID_INPUT);
}
