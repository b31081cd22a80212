#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pinion/host/bridge/host_table.hpp>
#include <pinion/host/config/machine_start.hpp>
#include <pinion/host/pipeline/prover_parts.hpp>
#include <pinion/host/plugins/tables.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

std::vector<std::filesystem::path> as_paths(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

// Of a budget, unless the configuration says something else.
Bytes sixteenth(Bytes budget) {
  return Bytes(budget.count() / 16);
}

// The host's own space and one for each device that has memory of its own, of which as much is kept for critical claims
// as of the host's, within reason.
std::vector<SpaceSetup> spaces_of(const Registry& registry, const Devices& devices, const HostMemory& memory) {
  SpaceSetup host{SpaceId::host(), memory.budget, {}, memory.reserve, memory.source};
  for (const auto& allocator : registry.allocators()) host.sources.push_back(allocator);
  std::vector<SpaceSetup> spaces{std::move(host)};
  for (const Device& device : devices.all())
    if (const Bytes all = device.facts->memory; !all.zero())
      spaces.push_back({SpaceId::device(device.number), all, {}, std::min(memory.reserve, sixteenth(all)), ""});
  return spaces;
}

MemoryOptions memory_options(const MemoryConfig& config) {
  MemoryOptions options;
  options.max_waste = *config.max_waste;
  options.evict_min_idle = *config.evict_min_idle;
  options.pinned_max = *config.pinned_max;
  options.critical_priority = PINION_PRIORITY_CRITICAL;
  return options;
}

// What is kept for critical claims; nothing where no kind is critical by itself and nobody asked for it.
Result<Bytes> critical_reserve(const MemoryConfig& config, const Registry& registry, const BudgetDecision& decided) {
  const Bytes budget = decided.budget;
  constexpr Bytes most(std::uint64_t{1} << 30);
  if (const auto& stated = *config.critical_reserve; stated) {
    if (*stated <= Bytes(budget.count() / 2)) return *stated;
    return Status(
        Code::invalid_config,
        fmt::format("{}: memory.critical_reserve = {} is more than half of the budget of {}: {}",
                    config.critical_reserve.origin.text(), exact_text(*stated), exact_text(budget), decided.reason));
  }
  for (const LoadedProof& loaded : registry.proofs())
    for (const Kind& kind : loaded.proof->kinds())
      if (kind.priority >= PINION_PRIORITY_CRITICAL) return std::min(sixteenth(budget), most);
  return Bytes();
}

// One start per device to feed, and as many finishing behind them.
unsigned starts_of(const Devices& devices) {
  unsigned starts = 0;
  for (const Device& device : devices.all()) starts += device.facts->starts_in_flight;
  return std::max(1u, starts);
}

constexpr unsigned most_workers = 256;
// Critical jobs that may come at once, each with a worker of its own from its opening to its end: several miners can
// win in one epoch, and a worker that waits for work costs nothing.
constexpr unsigned critical_workers = 16;

}  // namespace

Prover::Parts::Parts(const ProverSetup& setup, Catalog the_catalog, Registry the_registry,
                     const HostMemory& host_memory, unsigned thread_count, Log& the_log, const Clock& the_clock,
                     RandomSource& random)
    : config(setup.config),
      log(the_log),
      clock(the_clock),
      catalog(std::move(the_catalog)),
      registry(std::move(the_registry)),
      devices(registry.backends(), clock, log, metrics),
      memory(memory_options(config.memory), spaces_of(registry, devices, host_memory), clock, log),
      spans(clock, setup.spans, &metrics),
      threads(thread_count),
      progress(clock),
      bridge({threads, memory, spans, random, log, metrics, progress}),
      synthesis(max_synthesis(), PINION_PRIORITY_CRITICAL),
      admission(memory.limit(SpaceId::host(), PINION_PRIORITY_NORMAL),
                memory.limit(SpaceId::host(), PINION_PRIORITY_CRITICAL), PINION_PRIORITY_CRITICAL),
      stages{registry, routes,  memory,    bridge,    spans,    log,
             clock,    devices, synthesis, admission, progress, *config.params.dir} {}

std::vector<std::string> Prover::Parts::unused(std::string_view interface, const std::vector<std::string>& used) const {
  std::vector<std::string> ids = plugin_ids(catalog, interface);
  std::erase_if(ids, [&](const std::string& id) { return std::find(used.begin(), used.end(), id) != used.end(); });
  return ids;
}

unsigned Prover::Parts::max_synthesis() const {
  return (*config.pipeline.max_synthesis).value_or(starts_of(devices));
}

Status Prover::Parts::open_alternatives(const ProverSetup& setup, HostTableMaker& hosts) {
  std::vector<const Config*> all{&config};
  for (const Config& alternative : setup.alternatives) all.push_back(&alternative);
  const std::vector<std::string> no_backends;
  std::string problems;
  for (const Config* one : all) {
    auto allocators = open_allocators(*one, config, catalog, registry, hosts);
    auto routes = !allocators
                      ? Result<Routes>(allocators.status())
                      : Routes::check(registry, devices,
                                      {*allocators, one->plugins, setup.backends ? *one->plugins.backends : no_backends,
                                       one->pipeline.job_format, unused(PINION_BACKEND, *one->plugins.backends)});
    if (routes)
      alternatives.push_back({std::move(*allocators), std::move(*routes)});
    else
      problems += (problems.empty() ? "" : "\n") + routes.status().message();
  }
  if (!problems.empty()) return {Code::invalid_config, problems};
  routes = alternatives.front().routes;
  return {};
}

void Prover::Parts::begin() {
  const unsigned starts = starts_of(devices);
  const Workers workers{std::min(most_workers, max_synthesis() + 2 * starts), critical_workers};
  pipeline.emplace(stages, AttemptRules{*config.pipeline.retries}, workers);
  if ((*config.memory.warm).zero() && (*config.params.preload).empty()) return;
  ready = false;
  preparer = std::jthread([this](const std::stop_token& stop) {
    prepare(stop);
    ready = true;
  });
}

Prover::Prover(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Prover::~Prover() = default;

Result<std::unique_ptr<Prover>> Prover::open(const ProverSetup& setup, Log& log, const Clock& clock,
                                             RandomSource& random) {
  const Config& config = setup.config;
  StartWait wait;
  if (setup.backends) wait.at_most = *config.memory.start_wait;  // what is read or verified takes little
  wait.progress = [&log](const std::string& text) { log.warn("{}", text); };
  wait.stop = setup.stop;
  const auto budget = settle_budget(config.memory, wait, clock, setup.machine_root);
  if (setup.stop.stop_requested()) return Status(Code::cancelled, "nothing was begun");
  if (!budget) return budget.status();
  const auto machine_threads = read_machine_threads(setup.machine_root);
  if (!machine_threads && !*config.pipeline.threads) return machine_threads.status();
  const unsigned threads = *config.pipeline.threads ? **config.pipeline.threads : machine_threads->count();
  if (machine_threads && setup.backends)
    if (const auto excess = thread_excess(config.pipeline, *machine_threads)) log.warn("{}", *excess);

  Catalog catalog(search_places(setup.plugin_paths, as_paths(*config.plugins.path)));
  PluginsConfig wanted = config.plugins;
  wanted.backends.value = all_backends(config, setup.alternatives);
  if (!setup.backends) wanted.backends.value.clear();
  HostTables hosts(log, threads);
  auto registry = Registry::open(catalog, wanted, config.plugin_tables, hosts);
  if (!registry) return registry.status();

  const auto reserve = critical_reserve(config.memory, *registry, *budget);
  if (!reserve) return reserve.status();
  auto parts =
      std::make_unique<Parts>(setup, std::move(catalog), std::move(*registry),
                              HostMemory{budget->budget, *reserve, budget->reason}, threads, log, clock, random);
  if (const Status status = parts->open_alternatives(setup, hosts); !status.ok()) return status;
  if (!setup.backends) parts->config.params.preload.value.clear();  // nothing here could use them
  for (const std::string& id : *parts->config.params.preload)
    if (const auto known = parts->kind_named(id); !known)
      return Status(Code::invalid_config, fmt::format("{}: params.preload: {}", config.params.preload.origin.text(),
                                                      known.status().message()));
  parts->budget_source = budget->reason;
  if (setup.backends) parts->warnings = budget->warnings;
  const auto& of_routes = parts->routes.warnings();
  parts->warnings.insert(parts->warnings.end(), of_routes.begin(), of_routes.end());
  for (const Shortfall& shortfall : parts->registry.shortfalls()) parts->warnings.push_back(shortfall.text);
  for (const DeviceStatus& device : parts->devices.status())
    if (!device.usable) parts->warnings.push_back(fmt::format("{} is not used: {}", device.label, device.reason));
  for (const ListedPlugin& listed : parts->catalog.listed())
    if (listed.shadowed_by)
      parts->warnings.push_back(fmt::format("plugin {}: {} is used, {} (version {}) is hidden by it",
                                            listed.manifest.id, listed.shadowed_by->string(),
                                            shown(listed.manifest.path), listed.manifest.version));
  for (const std::string& warning : parts->warnings) log.warn("{}", warning);
  parts->begin();
  return std::unique_ptr<Prover>(new Prover(std::move(parts)));
}

Result<ProveResult> Prover::prove(ProveRequest request, std::stop_token stop, const ProgressFn& progress) {
  parts_->complete(request);
  auto job = parts_->pipeline->submit(std::move(request), progress);
  if (!job) return job.status();
  const std::stop_callback cancel(stop, [&] { (*job)->cancel(); });
  return (*job)->wait();
}

Bytes Prover::use(std::size_t configuration) {
  const Alternative& alternative = parts_->alternatives.at(configuration);
  if (parts_->preparer.joinable()) parts_->preparer.join();  // it reads what is about to change
  parts_->routes = alternative.routes;
  parts_->current = configuration;
  return parts_->memory.use({alternative.allocators.begin(), alternative.allocators.end()});
}

const std::vector<std::shared_ptr<AllocatorPlugin>>& Prover::allocators() const {
  return parts_->alternatives[parts_->current].allocators;
}

Result<Reservation> Prover::reserve(const Owner& owner, Bytes bytes, const std::string& purpose) {
  const Rank rank{PINION_PRIORITY_NORMAL, parts_->pipeline->next_number(), 0};
  // Like a request that stays; once it is there, what others need is reckoned beside it.
  const auto admitted = parts_->admission.enter_waiting(rank, bytes, Bytes(), {});
  Claim claim;
  claim.owner = owner;
  claim.priority = rank.priority;
  claim.bytes.push_back({SpaceId::host(), bytes, purpose});
  claim.standing = true;
  auto granted = StageContext{parts_->stages, owner, rank, {}, {}}.claim(claim, {});
  if (!granted) return granted.status();
  return std::move(granted->bytes.front());
}

Status Prover::verify(ProveRequest request, std::span<const std::uint8_t> proof, std::stop_token stop) {
  parts_->complete(request);
  const Owner owner{parts_->next_id("verify"), std::nullopt, ""};
  const Span span = parts_->spans.open("verify", owner);
  const Rank rank{PINION_PRIORITY_NORMAL, parts_->pipeline->next_number(), 0};
  const auto cost = open_cost(parts_->registry, request);
  if (!cost) return cost.status();
  const auto admitted = parts_->admission.enter_waiting(rank, *cost, Bytes(), stop);  // until all below is given back
  if (!admitted) return Status(Code::cancelled, "cancelled before it began");
  const StageContext context{parts_->stages, owner, rank, stop, span.id()};
  auto opened = pinion::host::open(context, request);
  if (!opened) return opened.status();
  const auto call = context.call(opened->session().plugin().id(), span);
  return opened->session().verify(proof, call->table());
}

std::vector<const Kind*> Prover::kinds() const {
  std::vector<const Kind*> out;
  for (const LoadedProof& loaded : parts_->registry.proofs())
    for (const Kind& kind : loaded.proof->kinds()) out.push_back(&kind);
  return out;
}

Status Prover::check_family(const std::string& family) const {
  const Status known = pinion::host::check_family(parts_->registry, family);
  if (known.ok()) return known;
  const auto unused = parts_->unused(PINION_PROOF, *parts_->config.plugins.proofs);
  if (unused.empty()) return known;
  return {known.code(), fmt::format("{}; found, and not in plugins.proofs ({}): {}", known.message(),
                                    parts_->config.plugins.proofs.origin.text(), fmt::join(unused, ", "))};
}

Result<const Kind*> Prover::find_kind(const std::string& family, Bytes sector) const {
  if (auto status = check_family(family); !status.ok()) return status;
  std::string sizes;
  for (const Kind* kind : kinds()) {
    if (kind->family != family) continue;
    if (kind->sector == sector) return kind;
    sizes += (sizes.empty() ? "" : ", ") + exact_text(kind->sector);
  }
  return Status(Code::invalid_input, fmt::format("there is no {} proof for sectors of {}; there are: {}", family,
                                                 exact_text(sector), sizes));
}

const std::vector<RouteLine>& Prover::routes() const {
  return parts_->routes.lines();
}
const std::vector<std::string>& Prover::warnings() const {
  return parts_->warnings;
}
const Registry& Prover::registry() const {
  return parts_->registry;
}
const Catalog& Prover::catalog() const {
  return parts_->catalog;
}
std::vector<DeviceStatus> Prover::devices() const {
  return parts_->devices.status();
}

}  // namespace pinion::host
