// toy-proof: requests of the family "toy" with a seed, a number of partitions, a witness size, and how many
// milliseconds synthesis pauses. With `urgent`, the family "toy-urgent" too: the same, but critical by kind, and with
// `urgent_keys` with larger keys of its own.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>

#include "script.hpp"
#include "toy.hpp"

namespace {

constexpr const char* kind_formats[] = {toy::witness_format, toy::evaluations_format};
constexpr pinion_kind_file kind_files[] = {{"toy.params", "00", 8}};
constexpr pinion_kind toy_kind = {.size = sizeof(pinion_kind),
                                  .format_count = 2,
                                  .file_count = 1,
                                  .priority = PINION_PRIORITY_NORMAL,
                                  .id = "toy-1k",
                                  .family = "toy",
                                  .title = "Toy proof, 1 KiB",
                                  .sector_bytes = 1024,
                                  .formats = kind_formats,
                                  .files = kind_files,
                                  .wire_label = "toy",
                                  .wire_circuit = "",
                                  .wire_kind = 99,
                                  .parse_percent = 50};
constexpr pinion_kind urgent_kind = [] {
  pinion_kind kind = toy_kind;
  kind.priority = PINION_PRIORITY_CRITICAL;
  kind.id = "toy-urgent-1k";
  kind.family = "toy-urgent";
  kind.title = "Urgent toy proof, 1 KiB";
  return kind;
}();
constexpr const pinion_kind* kinds_list[] = {&toy_kind, &urgent_kind};

// What a kind needs loaded. own_keys: bytes of its own keys; 0: they are those of toy-1k.
struct ToyResources {
  ToyResources(const std::string& params_dir, std::uint64_t own_keys)
      : file(params_dir + (own_keys == 0 ? "/toy.params" : "/toy-urgent.params")),
        shape{sizeof shape, 0, "shape of toy-1k", toy::shape_format, toy::shape_words * 8, "", ""},
        keys{sizeof keys,
             0,
             own_keys == 0 ? "keys of toy-1k" : "keys of toy-urgent-1k",
             toy::keys_format,
             own_keys == 0 ? 8 : own_keys,
             "",
             file.c_str()} {}
  ToyResources(const ToyResources&) = delete;
  ToyResources& operator=(const ToyResources&) = delete;

  const std::string file;
  const pinion_resource shape, keys;
  const std::array<const pinion_resource*, 2> all{&shape, &keys};
};

class ToySession final : public pinion::Session {
 public:
  ToySession(toy::Script& script, const pinion_request& request, const pinion_kind& kind, std::uint64_t own_keys)
      : script_(script), kind_(kind), resources_(request.params_dir, own_keys) {
    for (std::uint32_t i = 0; i < request.field_count; ++i) {
      const std::string key = request.fields[i].key;
      if (key == "seed")
        seed_ = request.fields[i].number;
      else if (key == "partitions")
        partitions_ = static_cast<std::uint32_t>(request.fields[i].number);
      else if (key == "count")
        count_ = request.fields[i].number;
      else if (key == "pause")
        pause_ = std::chrono::milliseconds(request.fields[i].number);
      else
        throw pinion::Error(PINION_INVALID_INPUT, "field " + key + " is not one of seed, partitions, count, pause");
    }
    needs_[0] = {count_ * 8, PINION_MEMORY_ANY, PINION_FREE_AFTER_START, "witness", 0};
    needs_[1] = {4096, PINION_MEMORY_ANY, PINION_FREE_AFTER_SYNTHESIS, "scratch", 0};
    needs_[2] = {0, PINION_MEMORY_ANY, PINION_FREE_AFTER_FINISH, "nothing", 0};
    jobs_.resize(partitions_);
  }

  const pinion_kind* kind() const noexcept override { return &kind_; }

  pinion_plan plan(std::string_view format) override {
    script_.act("plan", nullptr);
    // Each format needs something else, so that a mix-up shows.
    const bool witness = format == toy::witness_format;
    return {.size = sizeof(pinion_plan),
            .partitions = partitions_,
            .need_count = witness ? 2u : 3u,
            .resource_count = 2,
            .needs = needs_,
            .resources = resources_.all.data(),
            .reserve = 4096,
            .part_bytes = sizeof(toy::Part),
            .proof_bytes = sizeof(toy::Part) * partitions_};
  }

  pinion_job synthesize(std::string_view format, std::uint32_t partition, std::span<const pinion_buffer> buffers,
                        std::span<const pinion_loaded> residents, pinion::Call& call) override {
    pinion::Span span(call, "toy rows");
    span.add_bytes(count_ * 8);
    const bool flip = script_.act("synthesize", &call);
    toy::Script::work(&call, pause_);
    if (residents.size() != 2) throw pinion::Error(PINION_INTERNAL, "two residents were planned");
    const auto values = pinion::values<std::uint64_t>(buffers[0], count_);
    call.for_range(count_, 64, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) values[i] = toy::value(seed_, partition, i);
    });
    call.progress(count_, count_);
    if (flip) values[0] ^= 1;
    std::uint64_t blinding = 0;
    call.random({reinterpret_cast<std::uint8_t*>(&blinding), sizeof blinding});
    auto job = std::make_unique<toy::Job>(toy::Job{sizeof(toy::Job), partition, count_, values.data(), blinding});
    const pinion_job out{sizeof(pinion_job), 0,
                         format == toy::witness_format ? toy::witness_format : toy::evaluations_format, job.get()};
    const std::lock_guard lock(mutex_);
    jobs_[partition] = std::move(job);
    return out;
  }

  void retire(std::uint32_t partition) noexcept override {
    const std::lock_guard lock(mutex_);
    jobs_[partition].reset();
  }

  void verify_part(std::uint32_t partition, std::span<const std::uint8_t> part, pinion::Call& call) override {
    script_.act("verify_part", &call);
    check(partition, part);
  }

  std::uint64_t assemble(std::span<const pinion_bytes> parts, std::span<std::uint8_t> out) override {
    const bool flip = script_.act("assemble", nullptr);
    if (parts.size() != partitions_) throw pinion::Error(PINION_INTERNAL, "not all parts");
    std::uint64_t written = 0;
    for (const pinion_bytes& part : parts) {
      std::memcpy(out.data() + written, part.data, part.size);
      written += part.size;
    }
    if (flip) out[0] ^= 1;
    return written;
  }

  void verify(std::span<const std::uint8_t> proof, pinion::Call& call) override {
    script_.act("verify", &call);
    if (proof.size() != partitions_ * sizeof(toy::Part))
      throw pinion::Error(PINION_PROOF_INVALID, "the proof is " + std::to_string(proof.size()) + " bytes");
    for (std::uint32_t k = 0; k < partitions_; ++k) check(k, proof.subspan(k * sizeof(toy::Part), sizeof(toy::Part)));
  }

 private:
  void check(std::uint32_t partition, std::span<const std::uint8_t> bytes) const {
    toy::Part part{};
    if (bytes.size() != sizeof part) throw pinion::Error(PINION_PROOF_INVALID, "a part of another size");
    std::memcpy(part.data(), bytes.data(), sizeof part);
    std::vector<std::uint64_t> values(count_), shape(toy::shape_words);
    for (std::uint64_t i = 0; i < count_; ++i) values[i] = toy::value(seed_, partition, i);
    for (std::uint64_t i = 0; i < shape.size(); ++i) shape[i] = toy::shape_word(i);
    if (part != toy::make_part(toy::fold(values), toy::fold(shape), partition, part[1]))
      throw pinion::Error(PINION_PROOF_INVALID,
                          "the part of partition " + std::to_string(partition) + " does not verify");
  }

  toy::Script& script_;
  const pinion_kind& kind_;
  std::chrono::milliseconds pause_{0};
  const ToyResources resources_;
  std::uint64_t seed_ = 1, count_ = 1000;
  std::uint32_t partitions_ = 1;
  pinion_buffer_need needs_[3]{};
  std::mutex mutex_;
  std::vector<std::unique_ptr<toy::Job>> jobs_;
};

// The shape, made into the host's buffer.
class ToyShape final : public pinion::Resident {
 public:
  explicit ToyShape(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::span<const std::uint8_t> view() const noexcept override { return bytes_; }

 private:
  std::span<const std::uint8_t> bytes_;
};

constexpr pinion_field sample_fields[] = {{"seed", 5, {nullptr, 0}}, {"partitions", 2, {nullptr, 0}}};
constexpr pinion_sample sample = {.size = sizeof(pinion_sample),
                                  .part_count = 0,
                                  .field_count = 2,
                                  .reserved = 0,
                                  .title = "two small partitions",
                                  .kind = &toy_kind,
                                  .parts = nullptr,
                                  .fields = sample_fields};
constexpr const pinion_sample* sample_list[] = {&sample};

class ToyProof final : public pinion::Proof, public pinion::ResidentTable, public pinion::Keys, public pinion::Samples {
 public:
  ToyProof(pinion::Host host, const pinion::Options& options)
      : script_(host, options.list("script")),
        urgent_(options.flag("urgent")),
        urgent_keys_(options.bytes("urgent_keys")) {}

  std::span<const pinion_kind* const> kinds() const noexcept override {
    return std::span(kinds_list).first(urgent_ ? 2 : 1);
  }
  std::unique_ptr<pinion::Session> open(const pinion_request& request, pinion::Call& call) override {
    script_.act("open", &call);
    const pinion_kind& kind = request.family == std::string_view(urgent_kind.family) ? urgent_kind : toy_kind;
    return std::make_unique<ToySession>(script_, request, kind, own_keys(kind));
  }
  void resources_of(const pinion_kind& kind, const std::string& params_dir, std::uint32_t,
                    const pinion::ResourceSink& sink) override {
    script_.act("resources_of", nullptr);
    const ToyResources resources(params_dir, own_keys(kind));
    for (const pinion_resource* resource : resources.all) sink(*resource);
  }

  std::span<const char* const> resident_formats() const noexcept override { return formats_; }
  pinion_resident_info describe_resident(const pinion_resource&, std::int32_t) override {
    return {.size = sizeof(pinion_resident_info),
            .buffer_kinds = PINION_MEMORY_ANY,
            .host_bytes = toy::shape_words * 8,
            .device_bytes = 0,
            .load_bytes = 4096,
            .reload_ms = 10};
  }
  std::unique_ptr<pinion::Resident> load_resident(const pinion_resource&, std::int32_t, std::span<const std::uint8_t>,
                                                  const pinion_buffer* buffer, pinion::Call& call) override {
    if (script_.act("load", &call))
      return std::make_unique<ToyShape>(std::span(static_cast<const std::uint8_t*>(nullptr), toy::shape_words * 8));
    const auto words = pinion::values<std::uint64_t>(*buffer, toy::shape_words);
    for (std::uint64_t i = 0; i < words.size(); ++i) words[i] = toy::shape_word(i);
    return std::make_unique<ToyShape>(std::span(static_cast<const std::uint8_t*>(buffer->data), toy::shape_words * 8));
  }

  void generate_keys(const pinion_kind&, const std::string& dir, const char* toxic_label, pinion::Call& call,
                     const pinion::FactSink& facts) override {
    script_.act("generate", &call);
    const std::string path = dir + "/toy.params";
    if (std::filesystem::exists(path)) throw pinion::Error(PINION_INVALID_INPUT, path + " is in the way");
    call.progress(1, 1);
    std::ofstream(path) << "toy keys";
    facts("file", path);
    facts("toxic", toxic_label ? toxic_label : "forgotten");
  }
  void check_keys(const pinion_kind&, const std::string& dir, pinion::Call& call, const pinion::FactSink&) override {
    script_.act("check", &call);
    if (!std::filesystem::exists(dir + "/toy.params")) throw pinion::Error(PINION_INVALID_CONFIG, "no toy.params");
  }
  void describe_keys(const std::string& file, const pinion::FactSink& facts) override {
    if (!file.ends_with("toy.params")) throw pinion::Error(PINION_UNSUPPORTED, file + " is not toy keys");
    facts("kind", "toy-1k");
  }

  std::span<const pinion_sample* const> samples() const noexcept override { return sample_list; }
  std::span<const pinion_option_info* const> fake_options(const pinion_kind&) const noexcept override;
  void fake(const pinion_kind&, std::uint64_t seed, const pinion::Options& options, const std::string& dir,
            pinion::Call& call, const pinion::FactSink& facts) override {
    std::ofstream(dir + "/seed") << seed << ' ' << options.integer("partitions") << ' ' << options.text("colour");
    facts("seed", std::to_string(seed));
    script_.act("fake", &call);
  }

 private:
  std::uint64_t own_keys(const pinion_kind& kind) const {
    return kind.id == std::string_view(urgent_kind.id) ? urgent_keys_ : 0;
  }

  static constexpr const char* formats_[] = {toy::shape_format};
  toy::Script script_;
  bool urgent_;
  std::uint64_t urgent_keys_;
};

#define OPTION(name, type, key, value, help, values)           \
  constexpr pinion_option_info name {                          \
    sizeof(pinion_option_info), type, key, value, help, values \
  }
OPTION(script, PINION_OPTION_LIST, "script", "", "What to do beside the work; see script.hpp.", nullptr);
OPTION(urgent, PINION_OPTION_BOOL, "urgent", "false", "Offers the family toy-urgent too.", nullptr);
OPTION(urgent_keys, PINION_OPTION_SIZE, "urgent_keys", "0", "Of its own; 0: it has those of toy.", nullptr);
constexpr const pinion_option_info* options[] = {&script, &urgent, &urgent_keys};
OPTION(fake_partitions, PINION_OPTION_INTEGER, "partitions", "2", "How many partitions it has.", nullptr);
OPTION(fake_colour, PINION_OPTION_TEXT, "colour", "red", "What colour it has.", "red|green");
constexpr const pinion_option_info* fakes[] = {&fake_partitions, &fake_colour};

std::span<const pinion_option_info* const> ToyProof::fake_options(const pinion_kind&) const noexcept {
  return fakes;
}

}  // namespace

PINION_PLUGIN(ToyProof, .id = PINION_PLUGIN_ID, .name = "Toy proof", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT", .description = "A proof system of a few sums, for the host's tests.",
              .options = options, .option_count = std::size(options))
