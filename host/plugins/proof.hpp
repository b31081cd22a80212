// A proof plugin as the pipeline wants it: its kinds as owned values, and sessions that close themselves.
#pragma once

#include <pinion/proof.h>

#include <memory>
#include <pinion/host/plugins/backend.hpp>
#include <pinion/host/plugins/instance.hpp>
#include <pinion/host/plugins/resident.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct KindFile {
  std::string name, digest;
  Bytes bytes;
};

struct Kind {
  std::string id, family, title;
  Bytes sector;
  std::vector<std::string> formats;  // in order of preference
  std::vector<KindFile> files;
  std::string wire_label, wire_circuit;
  std::uint32_t wire_kind = 0;
  std::uint32_t priority = 0;  // PINION_PRIORITY_
  std::uint32_t parse_percent = 0;
  const pinion_kind* raw = nullptr;  // the plugin's own, static: what its optional tables are asked with
};

struct ProofPlan {
  std::uint32_t partitions = 0;
  std::vector<BufferNeed> needs;
  std::vector<const pinion_resource*> resources;  // the session's; valid until it closes
  Bytes reserve;
  std::uint64_t part_bytes = 0;
  std::uint64_t proof_bytes = 0;  // 0: cannot be assembled
};

class ProofPlugin;

// A proof plugin's state for one job; closed by its destructor. Partitions may be worked on at once.
class ProofSession {
 public:
  ProofSession(ProofSession&& other) noexcept;
  ProofSession& operator=(ProofSession&&) = delete;
  ~ProofSession();

  const Kind& kind() const noexcept { return *kind_; }
  ProofPlugin& plugin() const noexcept { return *plugin_; }

  // unsupported: not this format. [worker]
  Result<ProofPlan> plan(const std::string& format) const;
  // The job's payload lives until retire(partition). [worker]
  Result<pinion_job> synthesize(const std::string& format, std::uint32_t partition,
                                std::span<const pinion_buffer> buffers, std::span<const pinion_loaded> residents,
                                const pinion_call* call);
  void retire(std::uint32_t partition) noexcept;
  // proof_invalid: it does not verify. [worker]
  Status verify_part(std::uint32_t partition, std::span<const std::uint8_t> part, const pinion_call* call);
  // All parts in partition order; `proof_bytes` of the plan. [worker]
  Result<std::vector<std::uint8_t>> assemble(std::span<const std::vector<std::uint8_t>> parts,
                                             std::uint64_t proof_bytes);
  // proof_invalid: it does not verify. [worker]
  Status verify(std::span<const std::uint8_t> proof, const pinion_call* call);

 private:
  friend class ProofPlugin;
  ProofSession(std::shared_ptr<ProofPlugin> plugin, void* session, const Kind* kind)
      : plugin_(std::move(plugin)), session_(session), kind_(kind) {}

  std::shared_ptr<ProofPlugin> plugin_;
  void* session_;
  const Kind* kind_;
};

class ProofPlugin : public std::enable_shared_from_this<ProofPlugin> {
 public:
  // Gates 3 and 5. invalid_config otherwise. [main]
  static Result<std::shared_ptr<ProofPlugin>> open(std::shared_ptr<Instance> instance);

  const std::string& id() const noexcept { return instance_->id(); }
  const std::vector<Kind>& kinds() const noexcept { return kinds_; }
  Instance& instance() const noexcept { return *instance_; }
  std::shared_ptr<Instance> shared_instance() const noexcept { return instance_; }

  // Parses and checks a request, whose bytes live until the session is closed. invalid_input: which field is at fault.
  // [worker]
  Result<ProofSession> open_session(const pinion_request& request, const pinion_call* call);

  // What every request of the kind needs loaded. unsupported: that is known only from a request. [worker]
  Result<std::vector<Resource>> resources_of(const Kind& kind, const std::string& params_dir,
                                             std::uint32_t flags) const;

 private:
  friend class ProofSession;
  ProofPlugin(std::shared_ptr<Instance> instance, const pinion_proof& table)
      : instance_(std::move(instance)), table_(table) {}
  Status read_kinds();

  std::shared_ptr<Instance> instance_;
  pinion_proof table_;
  std::vector<Kind> kinds_;
};

}  // namespace pinion::host
