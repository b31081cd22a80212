// toy-backend: proves toy jobs on any number of devices, with memory of their own or without, and watches that the host
// keeps its promises: never more starts at once on a device than it may take, and never a call after the last.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <vector>

#include "script.hpp"
#include "toy.hpp"

namespace {

constexpr const char* job_formats[] = {toy::witness_format, toy::evaluations_format};
constexpr std::uint32_t most_devices = 8;

// What this plugin loads: keys from their file, and (with `derived`) the shape, from the proof plugin's bytes.
class Loaded final : public pinion::Resident {
 public:
  std::vector<std::uint64_t> words;
};

struct Device {
  std::atomic<std::uint32_t> starting{0};
  std::atomic<std::int64_t> busy_ns{0};  // within finish
};

class ToyBackend;

class Operation final : public pinion::Operation {
 public:
  Operation(toy::Script& script, int device, Device& state, toy::Part part)
      : script_(script), device_(device), state_(state), part_(part) {}
  std::uint64_t finish(pinion::Call& call, std::span<std::uint8_t> out) override {
    const auto begin = std::chrono::steady_clock::now();
    if (script_.act("finish", &call, device_)) part_[0] ^= std::uint64_t{1} << 17;
    state_.busy_ns += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    if (out.size() < sizeof part_) throw pinion::Error(PINION_INTERNAL, "no room for the part");
    std::memcpy(out.data(), part_.data(), sizeof part_);
    return sizeof part_;
  }

 private:
  toy::Script& script_;
  int device_;
  Device& state_;
  toy::Part part_;
};

class ToyBackend final : public pinion::Backend, public pinion::ResidentTable, public pinion::Health {
 public:
  ToyBackend(pinion::Host host, const pinion::Options& options)
      : script_(host, options.list("script")),
        devices_(static_cast<std::uint32_t>(options.integer("devices"))),
        starts_(static_cast<std::uint32_t>(options.integer("starts_in_flight"))),
        memory_(options.bytes("device_memory")),
        unequal_(options.flag("unequal")),
        dma_(options.flag("needs_pinned") ? PINION_MEMORY_PINNED : PINION_MEMORY_ANY),
        accepted_(options.flag("only_pinned") ? PINION_MEMORY_PINNED : PINION_MEMORY_ANY),
        derived_(options.flag("derived")),
        only_evaluations_(options.flag("only_evaluations")),
        tells_busy_(options.flag("tells_busy")),
        sees_(options.text("sees")) {
    if (devices_ > most_devices) throw pinion::Error(PINION_INVALID_CONFIG, "at most 8 devices");
  }

  pinion_backend_info describe_backend() const noexcept override {
    return {.size = sizeof(pinion_backend_info),
            .device_count = devices_,
            .format_count = only_evaluations_ ? 1u : 2u,
            .dma_kinds = dma_ & accepted_,
            .accepted_kinds = accepted_,
            .reserved = 0,
            .formats = only_evaluations_ ? job_formats + 1 : job_formats,
            .why_none = devices_ == 0 ? "the script says so" : nullptr};
  }

  pinion_device_info device(std::uint32_t i) const override {
    if (i >= devices_) throw pinion::Error(PINION_INVALID_INPUT, "there is no such device");
    pinion_device_info info{};
    info.size = sizeof info;
    info.numa_node = -1;
    info.starts_in_flight = starts_of(i);
    std::strcpy(info.name, "toy device");
    info.memory_bytes = memory_ * times(i);
    return info;
  }

  pinion_backend_plan plan(std::uint32_t device, std::string_view, std::span<const pinion_resource* const>) override {
    script_.act("backend_plan", nullptr, static_cast<int>(device));
    pinion_backend_plan plan{};
    plan.size = sizeof plan;
    plan.need_count = 2;
    plan.needs[0] = {64 * 1024, PINION_MEMORY_ANY, PINION_FREE_AFTER_FINISH, "working vector", 0};
    plan.needs[1] = {8192, PINION_MEMORY_ANY, PINION_FREE_AFTER_START, "staging", 0};
    plan.host_reserve = 4096;
    plan.device_bytes = memory_ == 0 ? 0 : 1 << 20;
    plan.part_bytes = sizeof(toy::Part);
    return plan;
  }

  std::unique_ptr<pinion::Operation> start(std::uint32_t device, const pinion_job& job,
                                           std::span<const pinion_loaded> residents,
                                           std::span<const pinion_buffer> buffers, pinion::Call& call) override {
    const pinion::Span span(call, "toy start");
    struct Count {
      std::atomic<std::uint32_t>& at_once;
      ~Count() { --at_once; }
    } count{state_[device].starting};
    if (++count.at_once > starts_of(device))
      throw pinion::Error(PINION_INTERNAL, "more starts at once than were offered");
    const bool flip = script_.act("start", &call, static_cast<int>(device));
    const auto& payload = *static_cast<const toy::Job*>(job.payload);
    std::memset(buffers[0].data, 0xee, buffers[0].bytes);
    std::memset(buffers[1].data, 0xee, buffers[1].bytes);
    if (residents[1].handle == nullptr) throw pinion::Error(PINION_INTERNAL, "the keys are not this plugin's");
    const auto shape = words_of(residents[0]);
    auto part = toy::make_part(toy::fold({payload.values, payload.count}), toy::fold(shape), payload.partition,
                               payload.blinding);
    if (flip) part[0] ^= 1;
    return std::make_unique<Operation>(script_, static_cast<int>(device), state_[device], part);
  }

  std::optional<std::chrono::nanoseconds> busy_time(std::uint32_t device) const override {
    if (!tells_busy_) return std::nullopt;
    return std::chrono::nanoseconds(state_[device].busy_ns);
  }

  std::optional<std::uint32_t> memory_seen(std::uint32_t, std::span<const std::byte> memory) const override {
    if (memory.empty()) throw pinion::Error(PINION_INTERNAL, "asked of no memory at all");
    if (sees_ == "failing") throw pinion::Error(PINION_DEVICE_LOST, "the toy driver answers nothing");
    static const std::map<std::string_view, std::uint32_t> kinds{
        {"pageable", PINION_SEEN_PAGEABLE}, {"pinned", PINION_SEEN_PINNED},   {"managed", PINION_SEEN_MANAGED},
        {"mixed", PINION_SEEN_MIXED},       {"unknown", PINION_SEEN_UNKNOWN}, {"garbage", 77}};
    const auto kind = kinds.find(sees_);
    return kind == kinds.end() ? std::nullopt : std::optional(kind->second);
  }

  std::span<const char* const> resident_formats() const noexcept override {
    return std::span(formats_).first(derived_ ? 2 : 1);
  }
  pinion_resident_info describe_resident(const pinion_resource& resource, std::int32_t device) override {
    if (device < 0) throw pinion::Error(PINION_UNSUPPORTED, "only on a device");
    const bool shape = std::string_view(resource.format) == toy::shape_format;
    const std::uint64_t bytes = shape ? toy::shape_words * 8 : std::max<std::uint64_t>(65536, resource.bytes);
    return {.size = sizeof(pinion_resident_info),
            .buffer_kinds = 0,
            .host_bytes = memory_ == 0 ? bytes : 0,
            .device_bytes = memory_ == 0 ? 0 : bytes,
            .load_bytes = 8192,
            .reload_ms = 100};
  }
  std::unique_ptr<pinion::Resident> load_resident(const pinion_resource& resource, std::int32_t device,
                                                  std::span<const std::uint8_t> source, const pinion_buffer*,
                                                  pinion::Call& call) override {
    script_.act("load", &call, device);
    auto loaded = std::make_unique<Loaded>();
    if (std::string_view(resource.format) == toy::shape_format) {
      if (source.size() != toy::shape_words * 8) throw pinion::Error(PINION_INTERNAL, "the shape's bytes are missing");
      loaded->words.resize(toy::shape_words);
      std::memcpy(loaded->words.data(), source.data(), source.size());
    } else if (!source.empty() || *resource.file == '\0') {
      throw pinion::Error(PINION_INTERNAL, "keys come from a file");
    }
    return loaded;
  }

  void examine(const pinion::HealthSink& findings) override {
    findings(PINION_HEALTH_WARN, "toy devices", "they are toys", "buy a real one");
  }

 private:
  // How much larger a device is than the first one.
  std::uint32_t times(std::uint32_t device) const { return unequal_ ? device + 1 : 1; }
  std::uint32_t starts_of(std::uint32_t device) const { return starts_ * times(device); }

  std::span<const std::uint64_t> words_of(const pinion_loaded& shape) const {
    if (derived_) return static_cast<Loaded*>(static_cast<pinion::Resident*>(shape.handle))->words;
    if (shape.handle != nullptr) throw pinion::Error(PINION_INTERNAL, "a handle of another plugin was handed over");
    return {reinterpret_cast<const std::uint64_t*>(shape.view.data), shape.view.size / 8};
  }

  static constexpr const char* formats_[] = {toy::keys_format, toy::shape_format};
  toy::Script script_;
  std::uint32_t devices_, starts_;
  std::uint64_t memory_;
  bool unequal_;
  std::uint32_t dma_, accepted_;
  bool derived_, only_evaluations_, tells_busy_;
  std::string sees_;
  Device state_[most_devices];
};

#define OPTION(name, type, key, value, help)                    \
  constexpr pinion_option_info name {                           \
    sizeof(pinion_option_info), type, key, value, help, nullptr \
  }
OPTION(script, PINION_OPTION_LIST, "script", "", "What to do beside the work; see script.hpp.");
OPTION(devices, PINION_OPTION_INTEGER, "devices", "1", "How many.");
OPTION(starts, PINION_OPTION_INTEGER, "starts_in_flight", "1", "Per device.");
OPTION(memory, PINION_OPTION_SIZE, "device_memory", "0", "Of each device; 0: it works in host memory.");
OPTION(unequal, PINION_OPTION_BOOL, "unequal", "false", "Device k has k + 1 times the memory and the starts.");
OPTION(pinned, PINION_OPTION_BOOL, "needs_pinned", "false", "Copies what is not pinned.");
OPTION(only, PINION_OPTION_BOOL, "only_pinned", "false", "Refuses what is not pinned.");
OPTION(derived, PINION_OPTION_BOOL, "derived", "false", "Loads the shape in a form of its own.");
OPTION(evaluations, PINION_OPTION_BOOL, "only_evaluations", "false", "Does not take the witness format.");
OPTION(tells_busy, PINION_OPTION_BOOL, "tells_busy", "false", "Says for how long its devices were in finish.");
OPTION(sees, PINION_OPTION_TEXT, "sees", "nothing", "As what any memory is seen; or failing, or garbage.");
constexpr const pinion_option_info* options[] = {&script, &devices, &starts,      &memory,     &unequal, &pinned,
                                                 &only,   &derived, &evaluations, &tells_busy, &sees};

}  // namespace

PINION_PLUGIN(ToyBackend, .id = PINION_PLUGIN_ID, .name = "Toy backend", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT",
              .description = "Proves toy jobs as its script says, for the host's tests.", .options = options,
              .option_count = std::size(options))
