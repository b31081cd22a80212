#include <fmt/format.h>

#include <pinion/host/cli/host.hpp>

namespace pinion::host::cli {

Result<std::unique_ptr<OneShotHost>> OneShotHost::open(Console& console, const HostFlags& flags, Needs needs,
                                                       LogLevel least) {
  auto config = valid_config(flags);
  if (!config) return config.status();
  std::unique_ptr<OneShotHost> host(new OneShotHost(console, flags.verbose ? LogLevel::debug : least));
  host->config_ = *std::move(config);
  ProverSetup setup;
  setup.config = host->config_;
  setup.plugin_paths.assign(flags.plugin_path.begin(), flags.plugin_path.end());
  setup.backends = needs == Needs::everything;
  auto prover = Prover::open(setup, host->log_, host->clock_, host->random_);
  if (!prover) return prover.status();
  host->prover_ = *std::move(prover);
  return host;
}

ProgressFn progress_on(Progress& bar) {
  return [&bar](const ProveProgress& now) {
    if (now.partitions > 1) {
      bar.show(fmt::format("{} of {} partitions done, {}", now.partitions_done, now.partitions, now.stage),
               now.partitions_done, now.partitions);
    } else {
      bar.show(now.stage, now.done, now.total);
    }
  };
}

}  // namespace pinion::host::cli
