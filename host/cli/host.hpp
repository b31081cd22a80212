// The host that one verb runs on: log, clock, randomness and prover, in the order in which they must go.
#pragma once

#include <memory>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/bridge/random.hpp>
#include <pinion/host/cli/console_log.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/progress.hpp>
#include <pinion/host/cli/setup.hpp>
#include <pinion/host/pipeline/prover.hpp>

namespace pinion::host::cli {

// What of a host a verb needs.
enum class Needs { proofs_only, everything };

class OneShotHost {
 public:
  // Log lines of at least `least` appear on the console, all of them with --verbose. invalid_config: the configuration,
  // or a plugin it names, with every reason; cancelled: program.stop. `program` outlives it. [main]
  static Result<std::unique_ptr<OneShotHost>> open(Program& program, const HostFlags& flags, Needs needs,
                                                   LogLevel least = LogLevel::warn);
  // Writes the trace that --trace asked for, also of what failed; one that cannot be written after all is lost to the
  // console.
  ~OneShotHost();
  // The same with configurations that were read already: the first, and those Prover::use may switch to. [main]
  static Result<std::unique_ptr<OneShotHost>> open(Program& program, const HostFlags& flags, Config config,
                                                   std::vector<Config> alternatives, Needs needs, LogLevel least);

  Prover& prover() noexcept { return *prover_; }
  const Config& config() const noexcept { return config_; }

 private:
  OneShotHost(Console& console, LogLevel least) : console_(console), log_(console, least) {}

  Console& console_;
  OutputFlag trace_;

  Config config_;
  ConsoleLog log_;
  SteadyClock clock_;
  OsRandom random_;
  std::unique_ptr<Prover> prover_;  // last: it uses what stands above
};

// What FAMILY and --size name. Sectors come in powers of two, so a KB that no kind has was written for a KiB. Errors
// are of the command line. [main]
Result<const Kind*> kind_named(const Prover& prover, const std::string& family, const std::string& size);

// Draws what the host reports; `bar` outlives the function. [main]
ProgressFn progress_on(Progress& bar);

}  // namespace pinion::host::cli
