#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/demo_keys.hpp>
#include <pinion/host/cli/files.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/mixed_traffic.hpp>
#include <pinion/host/cli/result.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

struct BenchFlags {
  HostFlags host;
  std::vector<std::string> sizes;     // empty: 2KiB, unless kinds are named
  std::vector<std::string> families;  // empty: all
  std::vector<std::string> kinds;     // by id, beside those of the sizes and families
  std::uint64_t jobs = 4;
  std::uint64_t critical_jobs = 20;
  std::string keys;
};

// A folder for inputs that are made up; gone with it.
class WorkFolder {
 public:
  WorkFolder() : path_((fs::temp_directory_path() / "pinion-bench-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A request of the kind: the input that ships with its plugin, or one that its plugin makes up.
Result<ProveRequest> input_of(Program& program, Prover& prover, const Kind& kind, const WorkFolder& work) {
  for (auto& sample : prover.samples())
    if (sample.kind == &kind) return std::move(sample.request);
  if (work.path().empty()) return Status(Code::unsupported, "no folder for made-up inputs: is TMPDIR writable?");
  const fs::path folder = fs::path(work.path()) / kind.id;
  fs::create_directory(folder);
  program.console.note(fmt::format("Making up an input for {}", kind.title));
  Progress bar(program.console);
  const auto no_facts = [](const std::string&, const std::string&) {};
  const Status made = prover.fake(kind, 1, {}, folder, no_facts, program.stop, progress_on(bar));
  if (!made.ok()) return made;
  auto parts = read_input(folder, memory_use(prover.snapshot()).budget);
  if (!parts) return parts.status();
  ProveRequest request;
  request.family = kind.family;
  request.parts = *std::move(parts);
  return request;
}

// The kinds that the flags name, in the order of the plugins.
Result<std::vector<const Kind*>> kinds_of(const Prover& prover, const BenchFlags& flags) {
  std::vector<Bytes> sizes;
  for (const std::string& text :
       flags.sizes.empty() && flags.kinds.empty() ? std::vector<std::string>{"2KiB"} : flags.sizes) {
    const auto size = parse_size(text);
    if (!size) return size.status();
    sizes.push_back(*size);
  }
  for (const std::string& family : flags.families)
    for (const Bytes size : sizes)
      if (const auto kind = prover.find_kind(family, size); !kind) return kind.status();
  const auto all = prover.kinds();
  const auto has = [](const auto& list, const auto& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  std::vector<std::string> ids;
  for (const Kind* kind : all) ids.push_back(kind->id);
  for (const std::string& id : flags.kinds)
    if (!has(ids, id))
      return Status(Code::invalid_input, fmt::format("no proof plugin here has the kind {}{}; there are: {}",
                                                     in_quotes(id), meant(id, ids), fmt::join(ids, ", ")));
  for (const Bytes size : sizes)
    if (std::none_of(all.begin(), all.end(), [&](const Kind* kind) { return kind->sector == size; }))
      return Status(
          Code::invalid_input,
          fmt::format("no proof plugin here proves sectors of {}; 'pinion sector list' shows the sizes there are",
                      exact_text(size)));
  std::vector<const Kind*> out;
  for (const Kind* kind : all)
    if (has(flags.kinds, kind->id) ||
        (has(sizes, kind->sector) && (flags.families.empty() || has(flags.families, kind->family))))
      out.push_back(kind);
  return out;
}

Result<std::vector<TrafficKind>> traffic_of(Program& program, Prover& prover, const std::vector<const Kind*>& kinds,
                                            const BenchFlags& flags, const WorkFolder& work) {
  const auto folder = demo_key_folder(flags.keys);
  if (!folder) return folder.status();
  std::vector<TrafficKind> out;
  for (const Kind* kind : kinds) {
    if (const Status keys = ensure_demo_keys(program, prover, *kind, folder->path()); !keys.ok()) return keys;
    auto request = input_of(program, prover, *kind, work);
    if (!request) return request.status();
    request->params_dir = folder->path();
    request->allow_test_keys = true;
    const bool critical = kind->priority >= PINION_PRIORITY_CRITICAL;
    out.push_back({kind, *std::move(request), static_cast<unsigned>(critical ? flags.critical_jobs : flags.jobs)});
  }
  return out;
}

void print_figures(Console& console, const TrafficFigures& figures, const MemoryUse& memory) {
  using Align = Table::Align;
  Table table({{"kind", Align::left},
               {"jobs", Align::right},
               {"per hour", Align::right},
               {"p50", Align::right},
               {"p99", Align::right},
               {"start p50", Align::right},
               {"start p99", Align::right},
               {"longest step", Align::right}});

  for (const KindFigures& kind : figures.kinds)
    if (!kind.latencies.empty())
      table.row({kind.kind + (kind.critical ? " (critical)" : ""), std::to_string(kind.latencies.size()),
                 fmt::format("{:.0f}", kind.per_hour()), human_text(quantile(kind.latencies, 0.5)),
                 human_text(quantile(kind.latencies, 0.99)), human_text(quantile(kind.starts, 0.5)),
                 human_text(quantile(kind.starts, 0.99)), human_text(kind.longest_step)});
  if (!table.empty()) console.print(table.text(console));
  console.print("memory    " + memory_text(memory));
  console.print(fmt::format("          sampled {} times, {} of them over the budget", figures.samples, figures.over));
  console.print(fmt::format("slabs     {} made, {} leases of used ones, {} of them from another kind of proof",
                            figures.host().slabs_made, figures.host().slabs_reused, figures.kind_changes()));
  for (const HandoverStatus& handover : figures.host().handovers)
    console.print(fmt::format("          {} x {} -> {}", handover.count, handover.from, handover.to));
  const bool mixed = std::any_of(figures.kinds.begin(), figures.kinds.end(), [](auto& kind) { return !kind.critical; });
  for (const KindFigures& kind : figures.kinds)
    if (mixed && kind.alone > 0)
      console.note(fmt::format("{}: {} of {} jobs came when all ordinary jobs had ended; more --jobs keep those busy",
                               kind.kind, kind.alone, kind.latencies.size()));
  for (const KindFigures& kind : figures.kinds) {
    std::map<std::string, std::size_t> reasons;  // most often one, of all jobs
    for (const Status& failure : kind.failures) ++reasons[failure.text()];
    for (const auto& [reason, jobs] : reasons)
      console.warn(fmt::format("{}: {} {}: {}", kind.kind, jobs, jobs == 1 ? "job" : "jobs", reason));
  }
}

Exit mixed(Program& program, const BenchFlags& flags) {
  auto& console = program.console;
  // Warnings would be about the test keys, which are announced when they are made.
  auto host = OneShotHost::open(program, flags.host, Needs::everything, LogLevel::error);
  if (!host) return console.fail(host.status());
  Prover& prover = (*host)->prover();
  const auto kinds = kinds_of(prover, flags);
  if (!kinds) return console.misused(kinds.status());
  const WorkFolder work;
  const auto traffic = traffic_of(program, prover, *kinds, flags, work);
  if (!traffic) return console.fail(traffic.status(), "no job was begun; only whole keys are kept");
  const TrafficFigures figures = run_traffic(prover, *traffic, program.stop);
  const bool nothing = figures.stopped() != 0 && figures.proven() == 0;  // a table of zeros says less than nothing
  if (flags.host.json)
    console.print_json(to_json(figures));
  else if (!nothing)
    print_figures(console, figures, memory_use(prover.snapshot()));
  if (figures.stopped() != 0)
    return console.interrupted(fmt::format("{} of {} jobs were proven, the others were stopped", figures.proven(),
                                           figures.proven() + figures.stopped()));
  const Status status = figures.status();
  return status.ok() ? Exit::success : console.fail(status);
}

}  // namespace

void add_bench(CLI::App& app, Program& program) {
  auto& bench = add_verb(app, {"bench", "measure this machine", "Proving", "pinion bench mixed --budget 2GiB"});
  bench.require_subcommand(1);
  auto flags = std::make_shared<BenchFlags>();
  auto& verb = add_verb(bench, {"mixed", "jobs of every kind at once, under one budget", "",
                                "pinion bench mixed\npinion bench mixed --budget 2GiB --jobs 8 --json\n"
                                "pinion bench mixed --size 2KiB --size 8MiB --family FAMILY --trace mixed.json"});
  verb.add_option("--size", flags->sizes, "sector size, 2KiB by default; may be given again")->type_name("SIZE");
  verb.add_option("--family", flags->families, "only this family; may be given again")->type_name("FAMILY");
  verb.add_option("--kind", flags->kinds, "a kind by its id, beside those of --size; may be given again")
      ->type_name("ID");
  add_number(verb, "--jobs", flags->jobs, {1, 1000}, "of each ordinary kind, all at once");
  add_number(verb, "--critical-jobs", flags->critical_jobs, {1, 100000}, "of each critical kind, one after another");
  names_folder(*verb.add_option("--keys", flags->keys,
                                "folder of insecure test keys, made when absent; default: the user's cache folder"));
  add_key_flag(verb, flags->host, "--budget", "memory.budget", "SIZE", "memory for all of it");
  add_proving_flags(verb, flags->host);
  verb.callback([&program, flags] { program.action = [&program, flags] { return mixed(program, *flags); }; });
}

}  // namespace pinion::host::cli
