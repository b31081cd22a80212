// backend-cpu: Groth16 proofs on the host's own threads. One device, the CPU; keys become host residents, shapes are
// read where the proof plugin made them. start does all that reads what the host lends, finish the rest of the
// quotient.
#include <pinion/groth16.h>

#include <cstring>
#include <pinion/backend_groth16/job.hpp>
#include <pinion/backend_groth16/key_file.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/plugin.hpp>
#include <string>
#include <thread>

#include "key_resident.hpp"
#include "prover.hpp"

namespace pinion::backend_cpu {

using backend_groth16::find_loaded;
using backend_groth16::find_resource;
using backend_groth16::Job;
using backend_groth16::KeyFile;

namespace {

const char* const job_formats[] = {PINION_JOB_GROTH16_WITNESS, PINION_JOB_GROTH16_EVALUATIONS};
const char* const key_formats[] = {PINION_KEYS_GROTH16};

const bls::simd::Kernels& chosen_kernels(const std::string& choice) {
  if (choice == "portable") return bls::simd::portable_kernels();
  if (choice == "auto") return bls::simd::best_kernels();
  const bls::simd::Kernels* const fast = bls::simd::ifma_kernels();
  if (fast == nullptr)
    throw Error(PINION_INVALID_CONFIG, "kernels = \"avx512ifma\": this CPU has no AVX-512 IFMA; use \"auto\"");
  return *fast;
}

class CpuOperation final : public Operation {
 public:
  CpuOperation(const ProvingKey& key, const groth16::Shape& shape, std::span<const pinion_buffer> buffers,
               const ProverMemory& memory, const bls::simd::Kernels& kernels)
      : planned_heap_(memory.heap),
        shape_(shape),
        prover_(key, shape_, values<bls::Fr>(buffers[0], memory.evaluations),
                values<bls::Fr>(buffers[1], memory.evaluations), values<bls::Fr>(buffers[2], memory.scratch), kernels),
        counts_(key.counts()),
        kernels_(kernels) {}

  void start(const Job& job, Call& call) {
    const Reservation more = beyond_plan(call);
    r_ = job.r;
    s_ = job.s;
    {
      const Span span(call, "sum witness");
      prover_.sum_witness(job.witness, call);
    }
    if (job.evaluations)
      prover_.begin_quotient({job.evaluations->a, job.evaluations->b}, call);
    else
      prover_.begin_quotient(prover_.evaluate(job.witness, call), call);
  }

  std::uint64_t finish(Call& call, std::span<std::uint8_t> out) override {
    const Reservation more = beyond_plan(call);
    {
      const Span span(call, "sum quotient");
      prover_.sum_quotient(call);
    }
    const auto proof = prover_.finish(r_, s_);
    if (!proof) throw Error(PINION_INVALID_INPUT, proof.error().message);
    const auto bytes = proof->encode();
    if (out.size() < bytes.size())
      throw Error(PINION_INTERNAL, "room for " + std::to_string(out.size()) + " bytes of part, 192 are needed");
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return bytes.size();
  }

 private:
  Reservation beyond_plan(const Call& call) const {
    const std::uint64_t needed = ProverMemory::of(counts_, call.width(), kernels_).heap;
    return needed > planned_heap_ ? Reservation(call, needed - planned_heap_) : Reservation();
  }

  std::uint64_t planned_heap_;
  groth16::Shape shape_;  // a view of the host's resident, which lives until finish
  Prover prover_;
  groth16::KeyCounts counts_;
  const bls::simd::Kernels& kernels_;
  bls::Fr r_, s_;
};

class CpuBackend final : public Backend, public ResidentTable {
 public:
  CpuBackend(Host host, const Options& options)
      : kernels_(chosen_kernels(options.text("kernels"))),
        width_(host.width(std::max(1U, std::thread::hardware_concurrency()))) {
    host.info(std::string("arithmetic: ") + kernels_.name);
  }

  pinion_backend_info describe_backend() const noexcept override {
    pinion_backend_info info{};
    info.size = sizeof info;
    info.device_count = 1;
    info.format_count = std::size(job_formats);
    info.dma_kinds = info.accepted_kinds = PINION_MEMORY_ANY;
    info.formats = job_formats;
    return info;
  }

  pinion_device_info device(std::uint32_t i) const override {
    require_device(i);
    pinion_device_info info{};
    info.size = sizeof info;
    info.numa_node = -1;
    info.starts_in_flight = 1;  // a second one would only share the same threads
    const std::string name = std::to_string(width_) + " threads, " + kernels_.name;
    name.copy(info.name, sizeof info.name - 1);
    return info;
  }

  pinion_backend_plan plan(std::uint32_t device, std::string_view format,
                           std::span<const pinion_resource* const> resources) override {
    require_device(device);
    if (!backend_groth16::is_job_format(format))
      throw Error(PINION_UNSUPPORTED, "job format " + std::string(format) + " is not offered");
    find_resource(resources, PINION_SHAPE_R1CS);
    const KeyFile keys = KeyFile::open(find_resource(resources, PINION_KEYS_GROTH16));
    const ProverMemory memory = ProverMemory::of(keys.layout.counts, width_, kernels_);
    pinion_backend_plan plan{};
    plan.size = sizeof plan;
    plan.need_count = 3;
    plan.needs[0] = vector_need(memory.evaluations, "evaluations a");
    plan.needs[1] = vector_need(memory.evaluations, "evaluations b");
    plan.needs[2] = vector_need(memory.scratch, "third vector");
    plan.host_reserve = memory.heap;
    plan.part_bytes = PINION_GROTH16_PART_BYTES;
    return plan;
  }

  std::unique_ptr<Operation> start(std::uint32_t device, const pinion_job& job,
                                   std::span<const pinion_loaded> residents, std::span<const pinion_buffer> buffers,
                                   Call& call) override {
    require_device(device);
    if (buffers.size() != 3)
      throw Error(PINION_INTERNAL, std::to_string(buffers.size()) + " buffers lent, the plan asks for 3");
    const auto& keys = find_loaded(residents, PINION_KEYS_GROTH16);
    const auto& shape_bytes = find_loaded(residents, PINION_SHAPE_R1CS);
    const auto& resident = *static_cast<const KeyResident*>(static_cast<const Resident*>(keys.handle));
    const auto shape = groth16::Shape::reopen(bytes_of(shape_bytes.view));
    if (!shape) throw Error(PINION_INVALID_INPUT, shape.error().message);
    const auto fits = groth16::check_counts(resident.key().counts(), groth16::KeyCounts::of(*shape), resident.file());
    if (!fits) throw Error(PINION_INVALID_INPUT, fits.error().message);
    const Job read = Job::read(job, *shape);
    auto operation = std::make_unique<CpuOperation>(
        resident.key(), *shape, buffers, ProverMemory::of(resident.key().counts(), width_, kernels_), kernels_);
    operation->start(read, call);
    return operation;
  }

  std::span<const char* const> resident_formats() const noexcept override { return key_formats; }

  pinion_resident_info describe_resident(const pinion_resource& resource, std::int32_t) override {
    return KeyResident::describe(resource);
  }

  std::unique_ptr<Resident> load_resident(const pinion_resource& resource, std::int32_t, std::span<const std::uint8_t>,
                                          const pinion_buffer* buffer, Call& call) override {
    backend_groth16::require_keys(resource);
    if (buffer == nullptr) throw Error(PINION_INTERNAL, "keys are decoded into a buffer, and none was lent");
    return std::make_unique<KeyResident>(resource, *buffer, call);
  }

 private:
  static void require_device(std::uint32_t i) {
    if (i != 0) throw Error(PINION_INVALID_INPUT, "device " + std::to_string(i) + " of a backend that has one");
  }
  static pinion_buffer_need vector_need(std::uint64_t elements, const char* purpose) {
    return {elements * sizeof(bls::Fr), PINION_MEMORY_ANY, PINION_FREE_AFTER_FINISH, purpose, 0};
  }

  const bls::simd::Kernels& kernels_;
  const unsigned width_;
};

constexpr pinion_option_info kernels_option{sizeof(pinion_option_info),
                                            PINION_OPTION_TEXT,
                                            "kernels",
                                            "auto",
                                            "Arithmetic to use; \"auto\" takes the fastest that this CPU runs.",
                                            "auto|portable|avx512ifma"};
constexpr const pinion_option_info* options[] = {&kernels_option};

}  // namespace
}  // namespace pinion::backend_cpu

using pinion::backend_cpu::CpuBackend;
PINION_PLUGIN(CpuBackend, .id = PINION_PLUGIN_ID, .name = "CPU backend", .version = PINION_PLUGIN_VERSION,
              .licence = "Apache-2.0 OR MIT",
              .description = "Groth16 over BLS12-381 on the host's threads; AVX-512 IFMA where the CPU has it.",
              .options = pinion::backend_cpu::options, .option_count = 1)
