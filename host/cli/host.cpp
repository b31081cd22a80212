#include <fmt/format.h>

#include <array>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

// A span is about 250 bytes: as many as an hour of proving 32 GiB sectors makes.
constexpr std::size_t spans_of_a_trace = std::size_t{1} << 20;

// The stages of the pipeline in the words of who waits for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> activities{
    {{"open", "reading the input"},
     {"claim", "waiting for memory, loading parameters"},
     {"synthesize", "building the circuit"},
     {"start", "proving"},
     {"finish", "proving, second half"},
     {"verify", "verifying"},
     {"assemble", "joining the parts"},
     {"generate", "making keys"},
     {"check", "checking parameters"},
     {"fake", "making up the input"}}};

std::string activity(const std::string& stage) {
  for (const auto& [name, words] : activities) {
    if (name == stage) return std::string(words);
  }
  return stage;
}

}  // namespace

Result<std::unique_ptr<OneShotHost>> OneShotHost::open(Program& program, const HostFlags& flags, Needs needs,
                                                       LogLevel least) {
  if (const Status status = claim_outputs(program.console, {&flags.trace}, flags.json); !status.ok()) return status;
  auto config = valid_config(flags);
  if (!config) return config.status();
  return open(program, flags, *std::move(config), {}, needs, least);
}

Result<std::unique_ptr<OneShotHost>> OneShotHost::open(Program& program, const HostFlags& flags, Config config,
                                                       std::vector<Config> alternatives, Needs needs, LogLevel least) {
  std::unique_ptr<OneShotHost> host(new OneShotHost(program.console, flags.verbose ? LogLevel::debug : least));
  host->config_ = std::move(config);
  ProverSetup setup;
  setup.config = host->config_;
  setup.alternatives = std::move(alternatives);
  setup.plugin_paths.assign(flags.plugin_path.begin(), flags.plugin_path.end());
  setup.backends = needs == Needs::everything;
  setup.stop = program.stop;
  setup.spans = flags.trace.wanted() ? spans_of_a_trace : setup.spans;
  auto prover = Prover::open(setup, host->log_, host->clock_, host->random_);
  if (!prover) return prover.status();
  host->prover_ = *std::move(prover);
  host->trace_ = flags.trace;
  return host;
}

OneShotHost::~OneShotHost() {
  if (!trace_.wanted()) return;
  if (const Status written = write_output(console_, trace_, bytes_of(prover_->trace())); !written.ok())
    console_.lost(written);
  else if (trace_.is_file())
    console_.note(fmt::format("the trace is in {}", shown(trace_.name)));
}

ProgressFn progress_on(Progress& bar) {
  return [&bar](const ProveProgress& now) {
    if (now.partitions > 1) {
      bar.show(fmt::format("{} of {} partitions done, {}", now.partitions_done, now.partitions, activity(now.stage)),
               now.partitions_done, now.partitions);
    } else {
      bar.show(activity(now.stage), now.done, now.total);
    }
  };
}

Result<const Kind*> kind_named(const Prover& prover, const std::string& family, const std::string& size) {
  const auto sector = parse_size(size);
  if (!sector) return sector.status().within("--size");
  const auto kind = prover.find_kind(family, *sector);
  if (kind || size.size() < 3) return kind;
  auto binary = size.substr(0, size.size() - 1);
  binary.append("i").push_back(size.back());
  const auto meant = parse_size(binary);
  if (!meant || !prover.find_kind(family, *meant)) return kind;
  return Status(Code::invalid_input,
                fmt::format("--size {}: {}; did you mean {}?", shown(size), kind.status().message(), binary));
}

}  // namespace pinion::host::cli
