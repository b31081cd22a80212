// The line a proof walks, by type:
//
//   ProveRequest --open--> Opened --claim--> Leased --synthesize--> Synthesized --start--> Started --finish--> Part
//   all Parts --assemble--> proof
//
// Each stage takes the last value by move and returns the next. The value owns its leases, its work on a device and its
// place in the session, so that dropping it at any point frees everything: errors and cancellation need no path of
// their own. Only `claim` waits for memory, and it waits for everything at once.
#pragma once

#include <memory>
#include <pinion/host/memory/memory.hpp>
#include <pinion/host/pipeline/admission.hpp>
#include <pinion/host/pipeline/devices.hpp>
#include <pinion/host/pipeline/progress.hpp>
#include <pinion/host/pipeline/request.hpp>
#include <pinion/host/pipeline/routes.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <pinion/host/report/spans.hpp>

namespace pinion::host {

// What stages stand on; everything outlives every stage.
struct StageHost {
  const Registry& registry;
  const Routes& routes;
  Memory& memory;
  CallMaker& calls;
  Spans& spans;
  Log& log;
  const Clock& clock;
  Devices& devices;
  Slots& synthesis;
  Admission& admission;
  ProgressBoard& progress;
  std::string params_dir;
};

// For whom a stage is run.
struct StageContext {
  const StageHost& host;
  Owner owner;  // job, partition; plugin is filled in per call
  Rank rank;
  std::stop_token stop;
  SpanId parent;
  std::string label{};      // the kind, once it is known
  std::stop_token yield{};  // it should not wait for memory any longer, but give way: requested with `stop` too

  Owner owner_of(const std::string& plugin) const { return {owner.job, owner.partition, plugin}; }
  // A call of a plugin without devices, within `span`.
  std::unique_ptr<PluginCall> call(const std::string& plugin, const Span& span) const {
    return host.calls.make_call({owner_of(plugin), 0, 0, stop, span.id(), rank.priority, label});
  }
  std::unique_ptr<PluginCall> call(const Device& device, const Span& span) const;
  // Claims what it waits for in turn with the jobs.
  Result<Granted> claim(Claim& claim, SpanId within) const;
};

// invalid_input: no proof plugin has this family; the nearest that there is, and all of them. [any]
Status check_family(const Registry& registry, const std::string& family);

// The plugin's view of a request; points into it. [any]
class RequestView {
 public:
  RequestView(const ProveRequest& request, const std::string& params_dir);
  RequestView(const RequestView&) = delete;
  RequestView& operator=(const RequestView&) = delete;
  const pinion_request& view() const noexcept { return view_; }

 private:
  std::string params_dir_;
  std::vector<pinion_part> parts_;
  std::vector<pinion_field> fields_;
  pinion_request view_{};
};

// A parsed request: the plugin's session, and the memory that its bytes and its parsing are charged to.
class Opened {
 public:
  Opened(Opened&&) = default;
  const Kind& kind() const noexcept { return session_.kind(); }
  const LoadedProof& proof() const noexcept { return *proof_; }
  ProofSession& session() noexcept { return session_; }
  // The plan for a job format; asked for once per format. [any]
  Result<const ProofPlan*> plan(const std::string& format);

 private:
  friend Result<Opened> open(const StageContext&, const ProveRequest&);
  struct Plans {
    std::mutex mutex;
    std::map<std::string, ProofPlan> by_format;
  };
  Opened(Reservation bytes, std::unique_ptr<RequestView> request, const LoadedProof* proof, ProofSession session)
      : bytes_(std::move(bytes)),
        request_(std::move(request)),
        proof_(proof),
        session_(std::move(session)),
        plans_(std::make_unique<Plans>()) {}

  Reservation bytes_;  // given back after the session is closed
  std::unique_ptr<RequestView> request_;
  const LoadedProof* proof_;
  ProofSession session_;
  std::unique_ptr<Plans> plans_;
};

// One resource of a plan, loaded: by the proof plugin, by the backend, or by the backend from the proof plugin's.
struct LoadedResource {
  const pinion_resource* resource = nullptr;
  std::optional<ResidentRef> by_proof, by_backend;
};

// A lent buffer and when it is taken back.
struct LentBuffer {
  Lease lease;
  std::uint32_t free_after = 0;
  pinion_buffer view() const;
};

// A partition with everything it needs: nothing after this waits for memory.
struct Leased {
  std::shared_ptr<Opened> opened;
  std::uint32_t partition = 0;
  DeviceUse use;
  std::string format;
  std::uint64_t part_bytes = 0;
  std::vector<LentBuffer> proof_buffers, backend_buffers;
  std::vector<Reservation> bytes;
  std::vector<LoadedResource> resources;
  StageTimes times;
};

// A partition's place in its session; the session forgets its job when this goes.
class Synthesis {
 public:
  Synthesis(std::shared_ptr<Opened> opened, std::uint32_t partition)
      : opened_(std::move(opened)), partition_(partition) {}
  Synthesis(Synthesis&&) = default;
  Synthesis& operator=(Synthesis&&) = delete;
  ~Synthesis() {
    if (opened_) opened_->session().retire(partition_);
  }

 private:
  std::shared_ptr<Opened> opened_;
  std::uint32_t partition_;
};

struct Synthesized {
  Leased leased;
  Synthesis place;
  pinion_job job{};
};

struct Started {
  Synthesized synthesized;
  BackendOperation operation;  // abandoned first, before what it works on is given back
};

struct Part {
  PartResult result;
  std::uint32_t device = 0;  // who made it
};

// The priority of a request whose kind is not known yet: its own, or the highest of its family's kinds, so that an
// urgent one is not parsed after everything else. [any]
std::uint32_t priority_before_open(const Registry& registry, const ProveRequest& request);

// What open() charges. invalid_input: no plugin has the family. [any]
Result<Bytes> open_cost(const Registry& registry, const ProveRequest& request);

// Charges what parsing needs, then has the family's plugin parse `request`, whose bytes outlive the value. Fails with
// the plugin's words, or invalid_input when no plugin has the family. [worker]
Result<Opened> open(const StageContext& context, const ProveRequest& request);

// What of its route a job can be proved on. A device that is too small for it, or whose backend refuses its plan, is
// left to others.
struct Reach {
  std::vector<std::uint32_t> devices;  // in order of preference
  Bytes largest_claim;                 // the most host memory that a partition may claim on any of them
  std::string refused;                 // the other devices, each with its reason
};
// Fails as claim() would on the first device when it would on each of them. [worker]
Result<Reach> reach_of(const StageContext& context, Opened& opened);

// Waits until all of it can be had: buffers, reserves, arena, residents. over_budget, unsupported: it never
// can; cancelled: it is to give way, or to end. [worker]
Result<Leased> claim(const StageContext& context, std::shared_ptr<Opened> opened, DeviceUse use,
                     const std::string& format);

// Fills the buffers; those free after synthesis are given back. [worker]
Result<Synthesized> synthesize(const StageContext& context, Leased leased);

// Begins the proof on the device; the buffers free after start are given back: phase one of the release. [worker]
Result<Started> start(const StageContext& context, Synthesized synthesized);

// Takes the part, gives everything back (phase two), then checks the part. proof_invalid: it does not verify. [worker]
Result<Part> finish(const StageContext& context, Started started);

// Joins all parts and checks the whole. proof_invalid: it does not verify. [worker]
Result<std::vector<std::uint8_t>> assemble(const StageContext& context, Opened& opened,
                                           std::span<const std::vector<std::uint8_t>> parts);

// Measures one stage: a span under the context's, a line on the progress board, and the time taken into `total`.
class StageTimer {
 public:
  StageTimer(const StageContext& context, const char* name, std::chrono::nanoseconds* total = nullptr,
             const std::string& device = {})
      : clock_(context.host.clock),
        total_(total),
        begin_(clock_.now()),
        span_(context.host.spans.open(name, context.owner, context.parent, device)) {
    context.host.progress.stage(context.owner, name);
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;
  ~StageTimer() {
    if (total_) *total_ += clock_.now() - begin_;
  }
  const Span& span() const noexcept { return span_; }

 private:
  const Clock& clock_;
  std::chrono::nanoseconds* total_;
  TimePoint begin_;
  Span span_;
};

}  // namespace pinion::host
