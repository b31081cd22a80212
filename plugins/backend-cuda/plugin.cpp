// backend-cuda: Groth16 proofs on CUDA devices. Keys and shapes are residents of a device; start copies what the host
// lends and queues all of a proof's work, finish waits for it.
#include <fmt/format.h>
#include <pinion/groth16.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <pinion/backend_cuda/health.hpp>
#include <pinion/backend_cuda/memory_seen.hpp>
#include <pinion/backend_cuda/partition.hpp>
#include <pinion/backend_cuda/selection.hpp>
#include <pinion/backend_groth16/key_file.hpp>
#include <pinion/plugin.hpp>

namespace pinion::backend_cuda {

using backend_groth16::find_loaded;
using backend_groth16::find_resource;
using backend_groth16::Job;
using backend_groth16::KeyFile;

namespace {

const char* const job_formats[] = {PINION_JOB_GROTH16_WITNESS, PINION_JOB_GROTH16_EVALUATIONS};
const char* const resident_formats_of_this[] = {PINION_KEYS_GROTH16, PINION_SHAPE_R1CS};

// Left to the driver: contexts, code, what other programs show on the screen.
std::uint64_t usable_bytes(const cuda::FoundDevice& device) {
  const std::uint64_t kept = std::max(std::uint64_t{1} << 30, device.total_bytes / 64);
  return device.total_bytes > kept ? device.total_bytes - kept : 0;
}

template <std::size_t N>
void copy_text(char (&to)[N], const std::string& from) {
  from.copy(to, N - 1);
}

class CudaOperation final : public Operation {
 public:
  CudaOperation(Host host, Device& device, const KeyResident& key, const ShapeResident& shape)
      : host_(host), device_(device), key_(key), partition_(device, key, shape, cuda::ntt_parts(key.ntt().lg_size())) {}

  void start(const Job& job, Call& call) {
    r_ = job.r;
    s_ = job.s;
    partition_.start(job, call);
  }

  std::uint64_t finish(Call& call, std::span<std::uint8_t> out) override {
    device_.enter();
    const groth16::ProofSums sums = partition_.finish(call);
    const Partition::Times times = partition_.times();
    log(times);
    device_.add_busy(times.busy());
    const auto proof =
        backend_groth16::valid(groth16::assemble_proof(key_.head(), sums, r_, s_), PINION_INVALID_INPUT).encode();
    if (out.size() < proof.size())
      throw Error(PINION_INTERNAL, fmt::format("room for {} bytes of part, {} are needed", out.size(), proof.size()));
    std::copy(proof.begin(), proof.end(), out.begin());
    return proof.size();
  }

 private:
  void log(const Partition::Times& times) const {
    std::string text = device_.name() + ":";
    for (std::size_t i = 0; i < times.parts.size(); ++i)
      text += fmt::format(" {} {:.1f} ms,", Partition::part_names[i], times.parts[i]);
    host_.debug(text + fmt::format(" of which sum b_g2 beside others {:.1f} ms, waiting for copies {:.1f} ms",
                                   times.sum_b_g2, times.waited));
  }

  const Host host_;
  Device& device_;
  const KeyResident& key_;
  Partition partition_;
  bls::Fr r_, s_;
};

class CudaBackend final : public Backend, public ResidentTable, public Health {
 public:
  CudaBackend(Host host, const Options& options) : host_(host), found_(cuda::find_devices()) {
    const std::uint64_t memory = options.bytes("memory");
    if (found_.devices.empty()) return;  // the host asks why, and decides what it means
    const Fault fault = Fault::of(options.text("fault"), options.text("fault_stage"));
    for (const auto& device : select_devices(found_.devices, options.list("devices"))) {
      const std::uint64_t most = usable_bytes(device);
      if (memory > most)
        throw Error(PINION_INVALID_CONFIG, fmt::format("memory: {} bytes of device {}, which has {} usable ones",
                                                       memory, device.ordinal, most));
      devices_.emplace_back(device, memory == 0 ? most : memory, devices_.empty() ? fault : Fault{});
      host_.info(fmt::format("device {}: {}, {}{}{}", device.ordinal, devices_.back().name(), uuid_text(device.uuid),
                             device.ineligible.empty() ? "" : ": not used: ", device.ineligible));
    }
  }

  pinion_backend_info describe_backend() const noexcept override {
    pinion_backend_info info{};
    info.size = sizeof info;
    info.device_count = static_cast<std::uint32_t>(devices_.size());
    info.format_count = std::size(job_formats);
    info.dma_kinds = PINION_MEMORY_PINNED;
    info.accepted_kinds = PINION_MEMORY_ANY;
    info.formats = job_formats;
    info.why_none = devices_.empty() ? found_.why_none.c_str() : nullptr;
    return info;
  }

  pinion_device_info device(std::uint32_t i) const override {
    const cuda::FoundDevice& facts = at(i).facts();
    pinion_device_info info{};
    info.size = sizeof info;
    info.numa_node = facts.numa_node;
    info.starts_in_flight = 1;  // copies of two would share one link
    info.has_uuid = 1;
    std::copy(facts.uuid.begin(), facts.uuid.end(), info.uuid);
    copy_text(info.name, facts.name);
    copy_text(info.address, facts.pci_address);
    info.memory_bytes = at(i).space().capacity();
    copy_text(info.ineligible, facts.ineligible);
    return info;
  }

  pinion_backend_plan plan(std::uint32_t device, std::string_view format,
                           std::span<const pinion_resource* const> resources) override {
    if (!backend_groth16::is_job_format(format))
      throw Error(PINION_UNSUPPORTED, "job format " + std::string(format) + " is not offered");
    entered(device);
    find_resource(resources, PINION_SHAPE_R1CS);
    const KeyFile keys = KeyFile::open(find_resource(resources, PINION_KEYS_GROTH16));
    pinion_backend_plan plan{};
    plan.size = sizeof plan;
    plan.device_bytes = DeviceSpace::padded(PartitionMemory::bytes(keys.layout.counts));
    plan.part_bytes = PINION_GROTH16_PART_BYTES;
    return plan;
  }

  std::unique_ptr<Operation> start(std::uint32_t device_number, const pinion_job& job,
                                   std::span<const pinion_loaded> residents, std::span<const pinion_buffer>,
                                   Call& call) override {
    Device& device = entered(device_number);
    const auto& keys = *resident<KeyResident>(residents, PINION_KEYS_GROTH16);
    const auto& on_device = *resident<ShapeResident>(residents, PINION_SHAPE_R1CS);
    const auto shape = backend_groth16::valid(
        groth16::Shape::reopen(bytes_of(find_loaded(residents, PINION_SHAPE_R1CS).view)), PINION_INVALID_INPUT);
    backend_groth16::valid(groth16::check_counts(keys.counts(), on_device.key_counts(), keys.file()),
                           PINION_INVALID_INPUT);
    const Job read = Job::read(job, shape);
    auto operation = std::make_unique<CudaOperation>(host_, device, keys, on_device);
    operation->start(read, call);
    return operation;
  }

  std::span<const char* const> resident_formats() const noexcept override { return resident_formats_of_this; }

  pinion_resident_info describe_resident(const pinion_resource& resource, std::int32_t device) override {
    home(device);
    if (is_shape(resource)) return ShapeResident::describe(resource);
    return KeyResident::describe(resource);
  }

  std::unique_ptr<Resident> load_resident(const pinion_resource& resource, std::int32_t device_number,
                                          std::span<const std::uint8_t> source, const pinion_buffer*,
                                          Call& call) override {
    Device& device = home(device_number);
    device.enter();
    device.drill(Fault::Stage::load);
    if (is_shape(resource)) return std::make_unique<ShapeResident>(device, source, call);
    return std::make_unique<KeyResident>(device, resource, call);
  }

  std::optional<std::chrono::nanoseconds> busy_time(std::uint32_t device) const override { return at(device).busy(); }

  std::optional<std::uint32_t> memory_seen(std::uint32_t device, std::span<const std::byte> memory) const override {
    const Device& seeing = at(device);
    std::uint32_t seen = PINION_SEEN_UNKNOWN;
    seeing.check(cuda::make_current(seeing.facts().ordinal));
    seeing.check(backend_cuda::memory_seen(seen, memory));
    return seen;
  }

  void examine(const HealthSink& findings) override { examine_devices(found_, findings); }

 private:
  static bool is_shape(const pinion_resource& resource) { return std::strcmp(resource.format, PINION_SHAPE_R1CS) == 0; }

  const Device& at(std::uint32_t i) const {
    if (i >= devices_.size()) throw Error(PINION_INVALID_INPUT, fmt::format("device {} of {}", i, devices_.size()));
    return devices_[i];
  }
  Device& home(std::int32_t device) {
    if (device < 0) throw Error(PINION_UNSUPPORTED, "keys and shapes are loaded on devices, not on the host");
    at(static_cast<std::uint32_t>(device));
    return devices_[static_cast<std::uint32_t>(device)];
  }
  Device& entered(std::uint32_t i) {
    Device& device = home(static_cast<std::int32_t>(i));
    device.enter();
    return device;
  }
  template <class T>
  static const T* resident(std::span<const pinion_loaded> residents, std::string_view format) {
    return static_cast<const T*>(static_cast<const Resident*>(find_loaded(residents, format).handle));
  }

  const Host host_;
  const cuda::Found found_;
  std::deque<Device> devices_;  // whose addresses hold
};

constexpr pinion_option_info option(std::uint32_t type, const char* key, const char* value, const char* help,
                                    const char* choices = nullptr) {
  return {sizeof(pinion_option_info), type, key, value, help, choices};
}
constexpr pinion_option_info devices_option =
    option(PINION_OPTION_LIST, "devices", "all",
           "Devices to use: \"all\", or a list of ordinals, UUIDs (their beginnings) or PCI addresses.");
constexpr pinion_option_info memory_option =
    option(PINION_OPTION_SIZE, "memory", "0",
           "Memory to take of each device, once, when it is first used; 0 takes all but a sixty-fourth.");
constexpr pinion_option_info fault_option = option(
    PINION_OPTION_TEXT, "fault", "none", "For drills: what goes wrong, once, on the first device.", Fault::kinds);
constexpr pinion_option_info fault_stage_option =
    option(PINION_OPTION_TEXT, "fault_stage", "start", "For drills: where it goes wrong.", Fault::stages);
constexpr const pinion_option_info* options[] = {&devices_option, &memory_option, &fault_option, &fault_stage_option};

}  // namespace
}  // namespace pinion::backend_cuda

using pinion::backend_cuda::CudaBackend;
PINION_PLUGIN(CudaBackend, .id = PINION_PLUGIN_ID, .name = "CUDA backend", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT",
              .description = "Groth16 over BLS12-381 on CUDA devices; keys and circuits stay on the device.",
              .options = pinion::backend_cuda::options, .option_count = std::size(pinion::backend_cuda::options))
