#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pinion/host/config/option.hpp>
#include <pinion/host/pipeline/stage.hpp>
#include <pinion/printable.hpp>
#include <set>

namespace pinion::host {
namespace {

// What is known of a request before it is parsed: whose it is, and the most that any kind of its family takes.
struct FamilyFacts {
  const LoadedProof* proof = nullptr;
  std::uint32_t parse_percent = 0;
  std::uint32_t priority = 0;
};

FamilyFacts facts_of(const Registry& registry, const std::string& family) {
  FamilyFacts facts;
  for (const LoadedProof& loaded : registry.proofs()) {
    for (const Kind& kind : loaded.proof->kinds()) {
      if (kind.family != family) continue;
      facts.proof = &loaded;
      facts.parse_percent = std::max(facts.parse_percent, kind.parse_percent);
      facts.priority = std::max(facts.priority, kind.priority);
    }
    if (facts.proof != nullptr) break;
  }
  return facts;
}

// Bytes to charge before parsing; nothing when no such number exists.
std::optional<Bytes> parse_cost(const ProveRequest& request, std::uint32_t percent) {
  Bytes size;
  for (const RequestPart& part : request.parts) {
    const auto sum = checked_add(size, Bytes(part.bytes.size()));
    if (!sum) return std::nullopt;
    size = *sum;
  }
  const auto scaled = checked_mul(size, percent);
  if (!scaled) return std::nullopt;
  return checked_add(Bytes(scaled->count() / 100), request.charged ? Bytes() : size);
}

}  // namespace

Status check_family(const Registry& registry, const std::string& family) {
  std::set<std::string> families;
  for (const LoadedProof& loaded : registry.proofs())
    for (const Kind& kind : loaded.proof->kinds()) families.insert(kind.family);
  if (families.contains(family)) return {};
  const auto near = nearest(family, {families.begin(), families.end()});
  return Status(
      Code::invalid_input,
      fmt::format("no proof plugin here has the family {}{}; there are: {}", in_quotes(family),
                  near ? fmt::format("; did you mean \"{}\"?", *near) : std::string(), fmt::join(families, ", ")));
}

RequestView::RequestView(const ProveRequest& request, const std::string& params_dir)
    : params_dir_(request.params_dir.empty() ? params_dir : request.params_dir) {
  for (const RequestPart& part : request.parts)
    parts_.push_back({part.name.c_str(), {part.bytes.data(), part.bytes.size()}});
  for (const RequestField& field : request.fields)
    fields_.push_back(
        {field.key.c_str(), field.number, {field.bytes.empty() ? nullptr : field.bytes.data(), field.bytes.size()}});
  view_.size = sizeof view_;
  if (request.parts_only || request.partition) view_.flags |= PINION_REQUEST_PARTS;
  if (request.allow_test_keys) view_.flags |= PINION_REQUEST_TEST_KEYS;
  if (!request.verify_digests) view_.flags |= PINION_REQUEST_TRUST_FILES;
  view_.family = request.family.c_str();
  view_.params_dir = params_dir_.c_str();
  view_.parts = parts_.data();
  view_.fields = fields_.data();
  view_.part_count = static_cast<std::uint32_t>(parts_.size());
  view_.field_count = static_cast<std::uint32_t>(fields_.size());
}

std::unique_ptr<PluginCall> StageContext::call(const Device& device, const Span& span) const {
  const BackendPlugin& backend = *device.loaded->backend;
  return host.calls.make_call({owner_of(backend.id()), device.first,
                               static_cast<std::uint32_t>(backend.devices().size()), stop, span.id(), rank.priority,
                               label});
}

Result<Granted> StageContext::claim(Claim& claim, SpanId within) const {
  claim.trace = {&host.spans, within};
  claim.stalled = [&admission = host.admission] { admission.make_room(); };
  return host.memory.claim(claim, yield.stop_possible() ? yield : stop);
}

std::uint32_t priority_before_open(const Registry& registry, const ProveRequest& request) {
  if (request.priority != 0) return request.priority;
  return std::max(facts_of(registry, request.family).priority, std::uint32_t{PINION_PRIORITY_LOW});
}

Result<Bytes> open_cost(const Registry& registry, const ProveRequest& request) {
  const FamilyFacts facts = facts_of(registry, request.family);
  if (facts.proof == nullptr) return check_family(registry, request.family);
  const auto cost = parse_cost(request, facts.parse_percent);
  if (!cost) return Status(Code::invalid_input, "the request is larger than any memory");
  return *cost;
}

Result<Opened> open(const StageContext& context, const ProveRequest& request) {
  const auto cost = open_cost(context.host.registry, request);
  if (!cost) return cost.status();
  const LoadedProof* proof = facts_of(context.host.registry, request.family).proof;

  const StageTimer timer(context, "open");
  Claim wanted;
  wanted.owner = context.owner_of(proof->proof->id());
  wanted.priority = context.rank.priority;
  wanted.bytes.push_back({SpaceId::host(), *cost, "request and its parsing"});
  auto granted = context.claim(wanted, timer.span().id());
  if (!granted) return granted.status();

  auto view = std::make_unique<RequestView>(request, context.host.params_dir);
  const auto call = context.call(proof->proof->id(), timer.span());
  auto session = proof->proof->open_session(view->view(), call->table());
  if (!session) return session.status();
  return Opened(std::move(granted->bytes.front()), std::move(view), proof, std::move(*session));
}

Result<const ProofPlan*> Opened::plan(const std::string& format) {
  const std::lock_guard lock(plans_->mutex);
  if (const auto known = plans_->by_format.find(format); known != plans_->by_format.end()) return &known->second;
  auto plan = session_.plan(format);
  if (!plan) return plan.status();
  return &plans_->by_format.emplace(format, std::move(*plan)).first->second;
}

}  // namespace pinion::host
