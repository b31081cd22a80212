#include <fmt/format.h>

#include <pinion/host/bridge/host_table.hpp>
#include <pinion/host/config/machine.hpp>
#include <pinion/host/pipeline/prover_parts.hpp>

namespace pinion::host {
namespace {

std::vector<std::filesystem::path> as_paths(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

// The host's own space and one for each device that has memory of its own.
std::vector<SpaceSetup> spaces_of(const Registry& registry, const Devices& devices, Bytes budget) {
  SpaceSetup host{SpaceId::host(), budget, {}};
  for (const auto& allocator : registry.allocators()) host.sources.push_back(allocator);
  std::vector<SpaceSetup> spaces{std::move(host)};
  for (const Device& device : devices.all())
    if (!device.facts->memory.zero()) spaces.push_back({SpaceId::device(device.number), device.facts->memory, {}});
  return spaces;
}

MemoryOptions memory_options(const MemoryConfig& config) {
  MemoryOptions options;
  options.max_waste = *config.max_waste;
  options.evict_min_idle = *config.evict_min_idle;
  return options;
}

// One start per device to feed, and as many finishing behind them.
unsigned starts_of(const Devices& devices) {
  unsigned starts = 0;
  for (const Device& device : devices.all()) starts += device.facts->starts_in_flight;
  return std::max(1u, starts);
}

constexpr unsigned most_workers = 256;

}  // namespace

Prover::Parts::Parts(const ProverSetup& setup, Catalog the_catalog, Registry the_registry, Bytes budget,
                     unsigned thread_count, Log& the_log, const Clock& the_clock, RandomSource& random)
    : config(setup.config),
      log(the_log),
      clock(the_clock),
      catalog(std::move(the_catalog)),
      registry(std::move(the_registry)),
      devices(registry.backends(), clock, log, metrics),
      memory(memory_options(config.memory), spaces_of(registry, devices, budget), clock, log),
      spans(clock),
      threads(thread_count),
      progress(clock),
      bridge({threads, memory, spans, random, log, metrics, progress}),
      synthesis(max_synthesis()),
      stages{registry, routes, memory, bridge, spans, log, clock, devices, synthesis, progress, *config.params.dir} {}

unsigned Prover::Parts::max_synthesis() const {
  return (*config.pipeline.max_synthesis).value_or(starts_of(devices));
}

void Prover::Parts::begin() {
  const unsigned workers = std::min(most_workers, max_synthesis() + 2 * starts_of(devices));
  pipeline.emplace(stages, AttemptRules{*config.pipeline.retries}, workers);
}

Prover::Prover(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Prover::~Prover() = default;

Result<std::unique_ptr<Prover>> Prover::open(const ProverSetup& setup, Log& log, const Clock& clock,
                                             RandomSource& random) {
  const Config& config = setup.config;
  const auto machine = read_machine_memory(setup.machine_root);
  if (!machine) return machine.status();
  const auto budget = decide_budget(config.memory, *machine);
  if (!budget) return budget.status();
  unsigned threads = (*config.pipeline.threads).value_or(0);
  if (threads == 0) {
    const auto found = read_machine_threads(setup.machine_root);
    if (!found) return found.status();
    threads = found->count();
  }

  Catalog catalog(search_places(setup.plugin_paths, as_paths(*config.plugins.path)));
  PluginsConfig wanted = config.plugins;
  if (!setup.backends) wanted.backends.value.clear();
  HostTables hosts(log);
  auto registry = Registry::open(catalog, wanted, config.plugin_tables, hosts);
  if (!registry) return registry.status();

  auto parts = std::make_unique<Parts>(setup, std::move(catalog), std::move(*registry), budget->budget, threads, log,
                                       clock, random);
  auto routes =
      Routes::check(parts->registry, parts->devices, *config.pipeline.job_format, *config.plugins.require_dma);
  if (!routes) return routes.status();
  parts->routes = std::move(*routes);
  parts->warnings = budget->warnings;
  const auto& of_routes = parts->routes.warnings();
  parts->warnings.insert(parts->warnings.end(), of_routes.begin(), of_routes.end());
  for (const DeviceStatus& device : parts->devices.status())
    if (!device.usable) parts->warnings.push_back(fmt::format("{} is not used: {}", device.label, device.reason));
  for (const ListedPlugin& listed : parts->catalog.listed())
    if (listed.shadowed_by)
      parts->warnings.push_back(fmt::format("plugin {}: {} is used, {} (version {}) is hidden by it",
                                            listed.manifest.id, listed.shadowed_by->string(),
                                            listed.manifest.path.string(), listed.manifest.version));
  for (const std::string& warning : parts->warnings) log.warn("{}", warning);
  parts->begin();
  return std::unique_ptr<Prover>(new Prover(std::move(parts)));
}

Result<ProveResult> Prover::prove(ProveRequest request, std::stop_token stop, const ProgressFn& progress) {
  request.allow_test_keys = request.allow_test_keys || *parts_->config.params.allow_test_keys;
  auto job = parts_->pipeline->submit(std::move(request), progress);
  if (!job) return job.status();
  const std::stop_callback cancel(stop, [&] { (*job)->cancel(); });
  return (*job)->wait();
}

Status Prover::verify(ProveRequest request, std::span<const std::uint8_t> proof, std::stop_token stop) {
  request.allow_test_keys = request.allow_test_keys || *parts_->config.params.allow_test_keys;
  const Owner owner{parts_->next_id("verify"), std::nullopt, ""};
  const Span span = parts_->spans.open("verify", owner);
  const StageContext context{parts_->stages, owner, {PINION_PRIORITY_NORMAL, 0, 0}, stop, span.id()};
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
  return pinion::host::check_family(parts_->registry, family);
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
