// The smallest proof there can be, and a backend for it, in one plugin: the "proof" of a file is the sum of its bytes.
// A real one builds a circuit in `synthesize`, names its shape and keys as resources, and leaves proving to a backend
// that ships, by emitting a job format of pinion/groth16.h.
#include <cstring>
#include <numeric>
#include <pinion/plugin.hpp>
#include <string>

namespace {

constexpr const char* format = "echo.job.sum/1";
constexpr const char* formats[] = {format};
constexpr pinion_kind kind{.size = sizeof(pinion_kind),
                           .format_count = 1,
                           .file_count = 0,
                           .priority = PINION_PRIORITY_NORMAL,
                           .id = "echo-1k",
                           .family = "echo",
                           .title = "Sum of a file's bytes",
                           .sector_bytes = 1024,
                           .formats = formats,
                           .files = nullptr,
                           .wire_label = "echo",
                           .wire_circuit = "",
                           .wire_kind = 1000,
                           .parse_percent = 0};
constexpr const pinion_kind* kinds_list[] = {&kind};

using Sum = std::uint64_t;

Sum sum_of(const std::uint8_t* data, std::uint64_t bytes) {
  return std::accumulate(data, data + bytes, Sum{0});
}

std::uint64_t put(Sum sum, std::span<std::uint8_t> out) {
  std::memcpy(out.data(), &sum, sizeof sum);
  return sizeof sum;
}

class EchoSession final : public pinion::Session {
 public:
  // The request's bytes stay where they are until the session is closed.
  explicit EchoSession(pinion_bytes file)
      : file_(file), need_{file.size, PINION_MEMORY_ANY, PINION_FREE_AFTER_START, "copy of the file", 0} {}
  const pinion_kind* kind() const noexcept override { return &::kind; }
  pinion_plan plan(std::string_view) override {
    return {.size = sizeof(pinion_plan),
            .partitions = 1,
            .need_count = 1,
            .resource_count = 0,
            .needs = &need_,
            .resources = nullptr,
            .reserve = 0,
            .part_bytes = sizeof(Sum),
            .proof_bytes = sizeof(Sum)};
  }
  pinion_job synthesize(std::string_view, std::uint32_t, std::span<const pinion_buffer> buffers,
                        std::span<const pinion_loaded>, pinion::Call&) override {
    std::memcpy(buffers[0].data, file_.data, file_.size);
    job_ = {static_cast<const std::uint8_t*>(buffers[0].data), file_.size};
    return {sizeof(pinion_job), 0, format, &job_};
  }
  void retire(std::uint32_t) noexcept override { job_ = {}; }
  void verify_part(std::uint32_t, std::span<const std::uint8_t> part, pinion::Call& call) override {
    verify(part, call);
  }
  std::uint64_t assemble(std::span<const pinion_bytes> parts, std::span<std::uint8_t> out) override {
    std::memcpy(out.data(), parts[0].data, parts[0].size);
    return parts[0].size;
  }
  void verify(std::span<const std::uint8_t> proof, pinion::Call&) override {
    const Sum expected = sum_of(file_.data, file_.size);
    if (proof.size() != sizeof expected || std::memcmp(proof.data(), &expected, sizeof expected) != 0)
      throw pinion::Error(PINION_PROOF_INVALID, "it is not the sum of the file's bytes, " + std::to_string(expected));
  }

 private:
  pinion_bytes file_;
  pinion_buffer_need need_;
  pinion_bytes job_{};
};

class Adding final : public pinion::Operation {
 public:
  explicit Adding(Sum sum) : sum_(sum) {}
  std::uint64_t finish(pinion::Call&, std::span<std::uint8_t> out) override { return put(sum_, out); }

 private:
  Sum sum_;
};

class Echo final : public pinion::Proof, public pinion::Backend {
 public:
  Echo(pinion::Host, const pinion::Options&) {}

  std::span<const pinion_kind* const> kinds() const noexcept override { return kinds_list; }
  std::unique_ptr<pinion::Session> open(const pinion_request& request, pinion::Call&) override {
    if (request.field_count != 0)
      throw pinion::Error(PINION_INVALID_INPUT, std::string(request.fields[0].key) + ": there is no such field");
    if (request.part_count != 1 || request.parts[0].bytes.size == 0)
      throw pinion::Error(PINION_INVALID_INPUT, "expected one file that is not empty");
    return std::make_unique<EchoSession>(request.parts[0].bytes);
  }

  pinion_backend_info describe_backend() const noexcept override {
    return {.size = sizeof(pinion_backend_info),
            .device_count = 1,
            .format_count = 1,
            .dma_kinds = PINION_MEMORY_ANY,
            .accepted_kinds = PINION_MEMORY_ANY,
            .reserved = 0,
            .formats = formats,
            .why_none = nullptr};
  }
  pinion_device_info device(std::uint32_t) const override {
    pinion_device_info info{};
    info.size = sizeof info;
    info.numa_node = -1;
    info.starts_in_flight = 1;
    std::strcpy(info.name, "adder");
    return info;
  }
  pinion_backend_plan plan(std::uint32_t, std::string_view, std::span<const pinion_resource* const>) override {
    pinion_backend_plan plan{};
    plan.size = sizeof plan;
    plan.part_bytes = sizeof(Sum);
    return plan;
  }
  std::unique_ptr<pinion::Operation> start(std::uint32_t, const pinion_job& job, std::span<const pinion_loaded>,
                                           std::span<const pinion_buffer>, pinion::Call&) override {
    const auto& bytes = *static_cast<const pinion_bytes*>(job.payload);
    return std::make_unique<Adding>(sum_of(bytes.data, bytes.size));
  }
};

}  // namespace

PINION_PLUGIN(Echo, .id = PINION_PLUGIN_ID, .name = "Echo", .version = PINION_PLUGIN_VERSION, .licence = "MIT",
              .description = "The sum of a file's bytes, and who adds them up.")
