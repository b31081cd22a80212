#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <pinion/host/plugins/backend.hpp>
#include <utility>

namespace pinion::host {
namespace {

constexpr std::uint32_t most_devices = 256;
constexpr std::uint32_t most_starts = 1024;  // of one device at once
constexpr std::uint32_t most_formats = 64;
constexpr std::uint32_t most_needs = 64;

template <std::size_t N>
std::string bounded_text(const char (&text)[N]) {
  return std::string(text, ::strnlen(text, N));
}

}  // namespace

Result<std::vector<BufferNeed>> read_needs(const Instance& plugin, const pinion_buffer_need* needs,
                                           std::uint32_t count) {
  if (count > most_needs)
    return plugin.broken_rule("plan", fmt::format("it claims {} buffers; at most {} are possible", count, most_needs));
  if (count > 0 && needs == nullptr)
    return plugin.broken_rule("plan", fmt::format("it claims {} buffers and gives no list of them", count));
  std::vector<BufferNeed> out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const pinion_buffer_need& need = needs[i];
    const std::string purpose = need.purpose ? need.purpose : "";
    if ((need.kinds & PINION_MEMORY_ANY) == 0 || (need.kinds & ~PINION_MEMORY_ANY) != 0)
      return plugin.broken_rule("plan",
                                fmt::format("buffer {} \"{}\" accepts the kinds {:#x}", i, purpose, need.kinds));
    if (need.free_after < PINION_FREE_AFTER_SYNTHESIS || need.free_after > PINION_FREE_AFTER_FINISH)
      return plugin.broken_rule("plan", fmt::format("buffer {} \"{}\" is free after {}", i, purpose, need.free_after));
    out.push_back({Bytes(need.bytes), SlabKinds{need.kinds}, need.free_after, purpose});
  }
  return out;
}

Result<std::shared_ptr<BackendPlugin>> BackendPlugin::open(std::shared_ptr<Instance> instance) {
  auto table = instance->table<pinion_backend>();
  if (!table) return table.status();
  std::shared_ptr<BackendPlugin> backend(new BackendPlugin(std::move(instance), *table));
  if (Status status = backend->read_facts(); !status.ok()) return status;
  return backend;
}

Status BackendPlugin::read_facts() {
  pinion_backend_info info{};
  info.size = sizeof info;
  if (auto status = instance_->call("describe", [&] { table_.describe(instance_->self(), &info); }); !status.ok())
    return status;
  const auto refuse = [&](std::string what) {
    return Status(Code::invalid_config, fmt::format("{} describes itself wrongly: {}", id(), what));
  };
  if (info.device_count > most_devices) return refuse(fmt::format("{} devices", info.device_count));
  if (info.format_count == 0 || info.format_count > most_formats || info.formats == nullptr)
    return refuse(fmt::format("{} job formats, expected 1 to {}", info.format_count, most_formats));
  if ((info.accepted_kinds & PINION_MEMORY_ANY) == 0 || (info.accepted_kinds & ~PINION_MEMORY_ANY) != 0)
    return refuse(fmt::format("accepted_kinds is {:#x}", info.accepted_kinds));
  if ((info.dma_kinds & ~info.accepted_kinds) != 0)
    return refuse(
        fmt::format("dma_kinds {:#x} is not part of accepted_kinds {:#x}", info.dma_kinds, info.accepted_kinds));
  for (std::uint32_t i = 0; i < info.format_count; ++i) {
    if (info.formats[i] == nullptr || *info.formats[i] == '\0') return refuse(fmt::format("job format {} is empty", i));
    formats_.emplace_back(info.formats[i]);
  }
  dma_kinds_ = SlabKinds{info.dma_kinds};
  accepted_kinds_ = SlabKinds{info.accepted_kinds};
  if (info.why_none) why_none_ = info.why_none;
  for (std::uint32_t i = 0; i < info.device_count; ++i) {
    auto device = read_device(i);
    if (!device) return device.status();
    devices_.push_back(std::move(*device));
  }
  return {};
}

Result<DeviceFacts> BackendPlugin::read_device(std::uint32_t i) {
  pinion_device_info info{};
  info.size = sizeof info;
  const Status status =
      instance_->call("device", [&](pinion_error* err) { return table_.device(instance_->self(), i, &info, err); });
  if (!status.ok()) return status;
  if (info.starts_in_flight == 0 || info.starts_in_flight > most_starts)
    return Status(Code::invalid_config,
                  fmt::format("{} describes itself wrongly: device {} takes {} starts, expected 1 to {}", id(), i,
                              info.starts_in_flight, most_starts));
  DeviceFacts facts;
  facts.name = bounded_text(info.name);
  facts.address = bounded_text(info.address);
  facts.numa_node = info.numa_node;
  facts.starts_in_flight = info.starts_in_flight;
  if (info.has_uuid != 0) facts.uuid = std::to_array(info.uuid);
  facts.memory = Bytes(info.memory_bytes);
  facts.ineligible = bounded_text(info.ineligible);
  return facts;
}

bool BackendPlugin::lists(std::string_view format) const {
  return std::find(formats_.begin(), formats_.end(), format) != formats_.end();
}

Result<BackendPlan> BackendPlugin::plan(std::uint32_t device, const std::string& format,
                                        std::span<const pinion_resource* const> resources) {
  pinion_backend_plan theirs{};
  theirs.size = sizeof theirs;
  const Status status = instance_->call("plan", [&](pinion_error* err) {
    return table_.plan(instance_->self(), device, format.c_str(), resources.data(),
                       static_cast<std::uint32_t>(resources.size()), &theirs, err);
  });
  if (!status.ok()) return status;
  if (theirs.need_count > PINION_BACKEND_NEEDS)
    return instance_->broken_rule(
        "plan", fmt::format("{} buffers, at most {} are possible", theirs.need_count, PINION_BACKEND_NEEDS));
  if (theirs.part_bytes == 0 || theirs.part_bytes > most_part_bytes)
    return instance_->broken_rule("plan", fmt::format("a part of {} bytes", theirs.part_bytes));
  if (theirs.device_bytes > 0 && devices_.at(device).memory.zero())
    return instance_->broken_rule(
        "plan", fmt::format("{} device bytes on a device that works in host memory", theirs.device_bytes));
  auto needs = read_needs(*instance_, theirs.needs, theirs.need_count);
  if (!needs) return needs.status();
  return BackendPlan{std::move(*needs), Bytes(theirs.host_reserve), Bytes(theirs.device_bytes), theirs.part_bytes};
}

Result<BackendOperation> BackendPlugin::start(std::uint32_t device, const pinion_job& job,
                                              std::span<const pinion_loaded> residents,
                                              std::span<const pinion_buffer> buffers, const pinion_call* call,
                                              std::uint64_t part_bytes) {
  void* op = nullptr;
  const Status status = instance_->call("start", [&](pinion_error* err) {
    return table_.start(instance_->self(), device, &job, residents.data(), static_cast<std::uint32_t>(residents.size()),
                        buffers.data(), static_cast<std::uint32_t>(buffers.size()), call, &op, err);
  });
  if (!status.ok()) return status;
  if (op == nullptr) return instance_->broken_rule("start", "it succeeded but gave no operation");
  return BackendOperation(shared_from_this(), op, part_bytes);
}

std::optional<std::chrono::nanoseconds> BackendPlugin::busy_time(std::uint32_t device) const {
  if (table_.usage == nullptr) return std::nullopt;
  pinion_device_usage theirs{};
  theirs.size = sizeof theirs;
  const Status status = instance_->call(
      "usage", [&](pinion_error* err) { return table_.usage(instance_->self(), device, &theirs, err); });
  constexpr auto most = static_cast<std::uint64_t>(std::chrono::nanoseconds::max().count());
  if (!status.ok() || theirs.busy_ns > most) return std::nullopt;
  return std::chrono::nanoseconds(theirs.busy_ns);
}

SeenAs BackendPlugin::memory_seen(std::uint32_t device, const void* at, Bytes bytes) const {
  if (table_.memory_seen == nullptr) return SeenAs::unknown;
  pinion_memory_seen theirs{};
  theirs.size = sizeof theirs;
  const Status status = instance_->call("memory_seen", [&](pinion_error* err) {
    return table_.memory_seen(instance_->self(), device, at, bytes.count(), &theirs, err);
  });
  if (!status.ok()) return SeenAs::unknown;
  if (theirs.kind <= PINION_SEEN_MIXED) return static_cast<SeenAs>(theirs.kind);
  (void)instance_->broken_rule("memory_seen", fmt::format("it sees memory of the kind {}", theirs.kind));
  return SeenAs::unknown;
}

BackendOperation::~BackendOperation() {
  if (op_ == nullptr) return;
  (void)backend_->instance_->call("abandon", [&] { backend_->table_.abandon(backend_->instance_->self(), op_); });
}

void BackendOperation::swap(BackendOperation& other) noexcept {
  std::swap(backend_, other.backend_);
  std::swap(op_, other.op_);
  std::swap(part_bytes_, other.part_bytes_);
}

Result<std::vector<std::uint8_t>> BackendOperation::finish(const pinion_call* call) {
  if (op_ == nullptr) return Status(Code::internal, "an operation was finished twice");
  void* const op = std::exchange(op_, nullptr);  // consumed, whatever finish returns
  std::vector<std::uint8_t> part(part_bytes_);
  std::uint64_t written = 0;
  const Status status = backend_->instance_->call("finish", [&](pinion_error* err) {
    return backend_->table_.finish(backend_->instance_->self(), op, call, part.data(), part.size(), &written, err);
  });
  if (!status.ok()) return status;
  if (written != part.size())
    return backend_->instance_->broken_rule(
        "finish", fmt::format("it wrote a part of {} bytes where its plan said {}", written, part.size()));
  return part;
}

}  // namespace pinion::host
