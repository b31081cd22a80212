// The plugin as a host sees it: loaded from its file, called through its tables, on buffers between guard pages.
#pragma once

#include <pinion/groth16.h>
#include <pinion/pinion.h>

#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/testing/loaded_plugin.hpp>

#include "small_system.hpp"

namespace pinion::test {

using bls::Fr;
using nlohmann::json;
using testing::CallSettings;
using testing::FakeCall;
using testing::GuardBuffer;

class Plugin : public testing::LoadedPlugin {
 public:
  explicit Plugin(const char* kernels, std::uint32_t host_width = 0)
      : LoadedPlugin(PLUGIN_PATH, std::array{pinion_option{"kernels", PINION_OPTION_TEXT, 0, 0, kernels, nullptr}},
                     host_width) {
    INFO(message());
    REQUIRE((backend != nullptr && residents != nullptr));
  }

  const pinion_backend* const backend = table<pinion_backend>(PINION_BACKEND);
  const pinion_resident* const residents = table<pinion_resident>(PINION_RESIDENT);
};

inline pinion_error no_error() {
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

inline std::string expected(const Device& device, std::size_t which, std::size_t proof) {
  return device.system.json["witnesses"][which]["proofs"][proof]["proof"];
}

}  // namespace pinion::test
