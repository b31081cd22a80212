// The CUDA plugin as a host sees it: loaded from its file, called through its tables, with keys and shape on one of its
// devices.
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

struct PluginOptions {
  std::vector<const char*> devices{"all"};
  std::int64_t memory = 0;
  const char* fault = "none";
  const char* fault_stage = "start";
};

class Plugin : public testing::LoadedPlugin {
 public:
  explicit Plugin(const PluginOptions& options = {}) : LoadedPlugin(PLUGIN_PATH, values(options)) {
    if (status() == PINION_OK) REQUIRE((backend != nullptr && residents != nullptr && health != nullptr));
  }

  const pinion_backend* const backend = table<pinion_backend>(PINION_BACKEND);
  const pinion_resident* const residents = table<pinion_resident>(PINION_RESIDENT);
  const pinion_health* const health = table<pinion_health>(PINION_HEALTH);

 private:
  static std::array<pinion_option, 4> values(const PluginOptions& options) {
    const auto count = static_cast<std::uint32_t>(options.devices.size());
    return {{{"devices", PINION_OPTION_LIST, count, 0, nullptr, options.devices.data()},
             {"memory", PINION_OPTION_SIZE, 0, options.memory, nullptr, nullptr},
             {"fault", PINION_OPTION_TEXT, 0, 0, options.fault, nullptr},
             {"fault_stage", PINION_OPTION_TEXT, 0, 0, options.fault_stage, nullptr}}};
  }
};

// What a call failed with: "code sentence".
struct Failure {
  pinion_error error{};
  Failure() { error.size = sizeof error; }
  std::string text(pinion_status status) const { return std::to_string(status) + " " + error.message; }
};

inline void check(const FakeCall& call) {
  CHECK(call.leaks() == std::vector<std::string>{});
  CHECK(call.violations() == std::vector<std::string>{});
}

// Aux of a witness that are 0 or 1, as the packed form may have them.
inline std::vector<bool> bits_of(const SmallSystem& system, std::size_t witness) {
  std::vector<bool> out;
  for (const Fr& value : read_frs(system.json["witnesses"][witness]["aux"]))
    out.push_back(value.is_zero() || value.is_one());
  return out;
}

// A small system's key and shape, loaded.
class Loaded {
 public:
  Loaded(const Plugin& plugin, const std::string& name, std::uint32_t device = 0, std::size_t bits_of_witness = 1)
      : plugin_(plugin),
        system(name),
        shape(system.shape(bits_of(system, bits_of_witness))),
        device_(device),
        file_(system.params.string()) {
    keys_ = {sizeof keys_, 0, "keys", PINION_KEYS_GROTH16, 0, "", file_.c_str()};
    shape_ = {sizeof shape_, 0, "shape", PINION_SHAPE_R1CS, shape->bytes().size(), "", ""};
  }
  ~Loaded() {
    for (const pinion_loaded& loaded : loaded_)
      if (loaded.handle != nullptr) plugin_.residents->unload(plugin_.self(), loaded.handle);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  // Another file than the system's own.
  void use_file(const std::string& file) {
    file_ = file;
    keys_.file = file_.c_str();
  }
  // The digest that the file should have.
  void use_digest(const std::string& digest) {
    digest_ = digest;
    keys_.digest = digest_.c_str();
  }
  // "" or what failed.
  std::string load() {
    const pinion_bytes flat{shape->bytes().data(), shape->bytes().size()};
    const pinion_resource* const resources[] = {&shape_, &keys_};
    for (std::size_t i = 0; i < 2; ++i) {
      const FakeCall call;
      Failure failure;
      pinion_status status =
          plugin_.residents->describe(plugin_.self(), resources[i], device(), &info[i], &failure.error);
      if (status != PINION_OK) return failure.text(status);
      CHECK(info[i].buffer_kinds == 0);
      loaded_[i] = {resources[i], nullptr, i == 0 ? flat : pinion_bytes{nullptr, 0}};
      status = plugin_.residents->load(plugin_.self(), resources[i], device(), loaded_[i].view, nullptr, call.table(),
                                       &loaded_[i].handle, &failure.error);
      check(call);
      if (status != PINION_OK) return failure.text(status);
    }
    plan.size = sizeof plan;
    Failure failure;
    const pinion_status status =
        plugin_.backend->plan(plugin_.self(), device_, PINION_JOB_GROTH16_WITNESS, resources, 2, &plan, &failure.error);
    return status == PINION_OK ? "" : failure.text(status);
  }

  pinion_status start(const pinion_job& job, const FakeCall& call, void** op, pinion_error* error = nullptr) {
    const pinion_status status =
        plugin_.backend->start(plugin_.self(), device_, &job, loaded_, 2, nullptr, 0, call.table(), op, error);
    check(call);
    return status;
  }
  pinion_status finish(void* op, const FakeCall& call, Bytes& part, pinion_error* error = nullptr) {
    part.resize(PINION_GROTH16_PART_BYTES);
    std::uint64_t written = 0;
    const pinion_status status =
        plugin_.backend->finish(plugin_.self(), op, call.table(), part.data(), part.size(), &written, error);
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
  pinion_resident_info info[2]{{sizeof(pinion_resident_info), 0, 0, 0, 0, 0},
                               {sizeof(pinion_resident_info), 0, 0, 0, 0, 0}};

 private:
  std::int32_t device() const { return static_cast<std::int32_t>(device_); }
  std::uint32_t device_;
  std::string file_, digest_;
  pinion_resource keys_{}, shape_{};
  pinion_loaded loaded_[2]{};
};

enum class Form { plain, packed, evaluations };

// A job of one of the system's witnesses.
struct TestJob {
  std::vector<Fr> inputs, scalars, a, b;
  std::vector<std::uint64_t> bits;
  pinion_groth16_witness witness{};
  pinion_groth16_evaluations evaluations{};
  pinion_job job{};

  TestJob(const Loaded& loaded, Form form, std::size_t which = 1, std::size_t proof = 0) {
    const json& item = loaded.system.json["witnesses"][which];
    inputs = read_frs(item["inputs"]);
    const std::vector<Fr> aux = read_frs(item["aux"]);
    if (form == Form::packed) {
      bits.resize((aux.size() + 63) / 64);
      for (std::size_t i = 0; i < aux.size(); ++i)
        if (!loaded.shape->is_bit().test(i))
          scalars.push_back(aux[i]);
        else if (aux[i].is_one())
          bits[i / 64] |= std::uint64_t{1} << (i % 64);
    } else {
      scalars = aux;
    }
    witness.size = sizeof witness;
    witness.form = form == Form::packed ? PINION_WITNESS_PACKED : PINION_WITNESS_PLAIN;
    witness.num_inputs = inputs.size();
    witness.num_aux = aux.size();
    witness.num_scalars = scalars.size();
    witness.inputs = words(inputs);
    witness.bits = form == Form::packed ? bits.data() : nullptr;
    witness.scalars = words(scalars);
    witness.r = *words({read_fr(item["proofs"][proof]["r"])});
    witness.s = *words({read_fr(item["proofs"][proof]["s"])});
    job = {sizeof job, 0, PINION_JOB_GROTH16_WITNESS, &witness};
    if (form == Form::evaluations) evaluate(loaded);
  }
  TestJob(const TestJob&) = delete;
  TestJob& operator=(const TestJob&) = delete;

  // What a host does once start has returned: the job's buffers hold something else.
  void scrub() {
    for (std::vector<Fr>* values : {&inputs, &scalars, &a, &b})
      std::fill(values->begin(), values->end(), Fr::from_u64(5));
    std::fill(bits.begin(), bits.end(), 0x5555555555555555U);
  }

 private:
  void evaluate(const Loaded& loaded) {
    SerialExecutor serial;
    const groth16::Witness view{inputs, {}, scalars};
    a.resize(loaded.shape->num_rows());
    b.resize(loaded.shape->num_rows());
    groth16::evaluate(*loaded.shape, groth16::Matrix::a, view, a, serial);
    groth16::evaluate(*loaded.shape, groth16::Matrix::b, view, b, serial);
    evaluations = {sizeof evaluations, 0, a.size(), words(a), words(b), nullptr, witness};
    job = {sizeof job, 0, PINION_JOB_GROTH16_EVALUATIONS, &evaluations};
  }
  static const pinion_fr* words(const std::vector<Fr>& values) {
    return reinterpret_cast<const pinion_fr*>(values.data());
  }
};

inline std::string expected(const Loaded& loaded, std::size_t which, std::size_t proof) {
  return loaded.system.json["witnesses"][which]["proofs"][proof]["proof"];
}

}  // namespace pinion::test
