#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/ab/html_report.hpp>
#include <pinion/host/ab/json_report.hpp>
#include <pinion/host/ab/load.hpp>
#include <pinion/host/ab/machine.hpp>
#include <pinion/host/ab/prover_bench.hpp>
#include <pinion/host/ab/sides.hpp>
#include <pinion/host/ab/text_report.hpp>
#include <pinion/host/cli/files.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/result.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/host/config/machine.hpp>
#include <pinion/host/plugins/options.hpp>
#include <pinion/printable.hpp>
#include <random>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

struct AbFlags {
  HostFlags host;
  std::string a, b;               // overlays
  std::vector<std::string> jobs;  // FAMILY=INPUT
  std::vector<std::string> fields;
  std::uint64_t repetitions = 10;
  std::string load = "both";
  std::string out;
  std::optional<std::uint64_t> seed;
};

constexpr std::uint64_t most_repetitions = 500;

struct Sides {
  Config a, b;
  std::vector<ab::Difference> differences;
};

void add_new(std::vector<Problem>& all, const std::vector<Problem>& more) {
  for (const Problem& problem : more) {
    const auto same = [&](const Problem& known) { return known.text() == problem.text(); };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(problem);  // of the base: once, not for each side
  }
}

// Both sides' configurations, or everything that is wrong with them at once.
Result<Sides> read_sides(const AbFlags& flags) {
  std::vector<Problem> problems;
  std::vector<Config> configs;
  std::string unreadable;
  for (const std::string& path : {flags.a, flags.b}) {
    auto overlay = read_config_file(path);
    if (!overlay) {
      unreadable += "\n" + overlay.status().message();
      continue;
    }
    auto loaded = read_config(flags.host, *std::move(overlay));
    if (!loaded) return loaded.status();
    add_new(problems, loaded->problems);
    configs.push_back(std::move(loaded->config));
  }
  if (configs.size() == 2) {
    Sides sides{std::move(configs[0]), std::move(configs[1]), {}};
    sides.differences = ab::host_differences(sides.a, sides.b);
    if (problems.empty()) problems = ab::refusals(sides.differences);
    if (problems.empty()) return sides;
  }
  if (unreadable.empty()) return refusal(problems);
  return Status(Code::invalid_config, problems.empty() ? unreadable.substr(1) : problems_text(problems) + unreadable);
}

// Once plugins can be asked what they declare. invalid_config: what cannot differ.
Status add_plugin_differences(const Catalog& catalog, Sides& sides) {
  const auto declared = [&](const std::string& plugin) {
    std::vector<DeclaredOption> none;
    const auto manifest = catalog.find(plugin);
    if (!manifest) return none;
    const auto library = Library::load(*manifest);
    return library ? declared_options((*library)->info().options) : none;
  };
  auto more = ab::plugin_differences(sides.a, sides.b, declared);
  const auto problems = ab::refusals(more);
  std::move(more.begin(), more.end(), std::back_inserter(sides.differences));
  return problems.empty() ? Status() : refusal(problems);
}

struct Jobs {
  std::vector<std::string> names;
  std::vector<ProveRequest> requests;
};

struct JobText {
  std::string family;
  fs::path input;
};

// What --job says; invalid_input: it is not FAMILY=INPUT, or there is no such family.
Result<std::vector<JobText>> parse_jobs(const AbFlags& flags, const Prover& prover) {
  std::vector<JobText> jobs;
  for (const std::string& text : flags.jobs) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return Status(Code::invalid_input, fmt::format("--job {}: expected FAMILY=INPUT", in_quotes(text)));
    jobs.push_back({text.substr(0, equals), text.substr(equals + 1)});
    if (auto status = prover.check_family(jobs.back().family); !status.ok())
      return status.within("--job " + shown(text));
  }
  return jobs;
}

Result<Jobs> read_jobs(const AbFlags& flags, const std::vector<JobText>& texts, Bytes most,
                       const std::stop_token& stop) {
  Jobs jobs;
  for (const JobText& text : texts) {
    auto request = read_request(text.family, text.input, flags.fields, most, stop);
    if (!request) return request.status();
    const auto name = text.input.has_filename() ? text.input.filename() : text.input.parent_path().filename();
    jobs.names.push_back(fmt::format("{} {}", text.family, shown(name)));
    jobs.requests.push_back(*std::move(request));
  }
  return jobs;
}

Result<Jobs> samples(const Prover& prover) {
  Jobs jobs;
  for (Prover::Sample& sample : prover.samples()) {
    jobs.names.push_back(sample.kind->title);
    jobs.requests.push_back(std::move(sample.request));
  }
  if (!jobs.requests.empty()) return jobs;
  return Status(Code::invalid_input, "no proof plugin here ships a sample; say what to prove with --job FAMILY=INPUT");
}

constexpr std::array<const char*, 3> report_names{"ab.txt", "ab.json", "ab.html"};

Status check_reports(const AbFlags& flags) {
  if (flags.out.empty()) return {};
  std::error_code error;
  if (!fs::is_directory(flags.out, error))
    return {Code::unsupported, fmt::format("--out {}: is not a folder; make it first", shown(flags.out))};
  for (const char* name : report_names)
    if (auto status = check_output(fs::path(flags.out) / name); !status.ok()) return status;
  return {};
}

Status write_reports(const AbFlags& flags, const ab::Record& record, const ab::Findings& findings) {
  if (flags.out.empty()) return {};
  const std::array<std::string, 3> texts{ab::text_report(record, findings),
                                         document_text(ab::json_report(record, findings)),
                                         ab::html_report(record, findings)};
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (auto status = write_new_file(fs::path(flags.out) / report_names[i], bytes_of(texts[i])); !status.ok())
      return status;
  return {};
}

void describe_sides(const AbFlags& flags, const Sides& sides, ab::ProverBench& bench, ab::Record& record) {
  bool others = false;
  for (const ab::Difference& one : sides.differences) {
    if (one.effect != ab::Effect::compared) continue;
    (one.of_allocator ? record.only_allocators : others) = true;
    if (!one.a.empty()) record.sides[0].settings.push_back(fmt::format("{} = {}", one.key, one.a));
    if (!one.b.empty()) record.sides[1].settings.push_back(fmt::format("{} = {}", one.key, one.b));
  }
  record.only_allocators = record.only_allocators && !others;
  record.sides[0].file = flags.a;
  record.sides[1].file = flags.b;
  for (const ab::Side side : {ab::Side::a, ab::Side::b})
    record.sides[ab::index(side)].allocator = bench.allocator_of(side);
}

ab::Record planned(const AbFlags& flags, const Jobs& jobs) {
  ab::Record record;
  record.seed = flags.seed ? *flags.seed : std::random_device{}();
  record.pairs = flags.repetitions;
  if (flags.load != "busy") record.loads.push_back(ab::Load::idle);
  if (flags.load != "idle") record.loads.push_back(ab::Load::busy);
  record.jobs = jobs.names;
  record.machine = ab::machine_facts();
  return record;
}

// The load generator with its memory charged, where one is wanted.
struct ChargedLoad {
  Reservation bytes;
  std::optional<ab::LoadGenerator> generator;
};

Status open_load(Prover& prover, ab::Record& record, ChargedLoad& load) {
  if (record.loads.back() != ab::Load::busy) return {};
  const auto threads = read_machine_threads();
  if (!threads) return threads.status();
  record.load_threads = threads->count();
  const Bytes bytes(record.load_threads * ab::LoadGenerator::bytes_per_thread);
  auto reserved = prover.reserve({"ab", std::nullopt, ""}, bytes, "load generator");
  if (!reserved) return reserved.status().within("the load on every core (--load idle does without)");
  load.bytes = *std::move(reserved);
  load.generator.emplace(record.load_threads);
  return {};
}

void measure(Program& program, ab::Bench& bench, ChargedLoad& load, ab::Record& record) {
  Progress bar(program.console);
  const ab::Surroundings surroundings{
      ab::control_seconds, [&](bool busy) { load.generator->run(busy); }, [&] { return load.generator->rate(); },
      [&](std::size_t done, std::size_t total, const std::string& what) { bar.show(what, done, total); }};
  ab::measure(bench, surroundings, record, program.stop);
}

Exit compare(Program& program, const AbFlags& flags) {
  auto& console = program.console;
  if (const auto status = check_reports(flags); !status.ok()) return console.fail(status);
  auto sides = read_sides(flags);
  if (!sides) return console.fail(sides.status());
  auto host = OneShotHost::open(program, flags.host, sides->a, {sides->b}, Needs::everything, LogLevel::error);
  if (!host) return console.fail(host.status());
  Prover& prover = (*host)->prover();
  if (const auto status = add_plugin_differences(prover.catalog(), *sides); !status.ok()) return console.fail(status);
  const auto texts = parse_jobs(flags, prover);
  if (!texts) return console.misused(texts.status());
  auto jobs =
      texts->empty() ? samples(prover) : read_jobs(flags, *texts, memory_use(prover.snapshot()).budget, program.stop);
  if (!jobs) return console.fail(jobs.status());
  for (ProveRequest& request : jobs->requests) request.allow_test_keys = true;  // as with `prove`: nothing is kept
  ab::Record record = planned(flags, *jobs);
  ab::ProverBench bench(prover, std::move(jobs->requests));
  describe_sides(flags, *sides, bench, record);
  for (const DeviceStatus& device : prover.devices()) {
    if (device.usable && !device.busy) record.silent_devices.push_back(device.label);
    if (device.memory.zero()) record.host_devices.push_back(device.label);
  }
  ChargedLoad load;
  if (const auto status = open_load(prover, record, load); !status.ok()) return console.fail(status);
  console.note(fmt::format("{} against {}: seed {}", shown(flags.a), shown(flags.b), record.seed));
  measure(program, bench, load, record);
  const ab::Findings findings = ab::analyse(record, ab::idle_differences(sides->differences));
  const std::string pairs = fmt::format("{} of {} pairs", findings.whole_pairs(), record.pairs);
  if (!record.ended.ok() && findings.whole_pairs() == 0)
    return console.fail(record.ended, pairs + " were measured, so there is no report");
  if (flags.host.json)
    console.print_json(ab::json_report(record, findings));
  else
    console.print(ab::text_report(record, findings));
  if (const auto status = write_reports(flags, record, findings); !status.ok()) return console.fail(status);
  if (record.ended.ok()) return Exit::success;
  return console.fail(
      Status(record.ended.code(), fmt::format("ended after {}: why is the report's first warning", pairs)),
      fmt::format("the report is of the {} measured until then", pairs));
}

}  // namespace

void add_ab(CLI::App& app, Program& program) {
  auto flags = std::make_shared<AbFlags>();
  auto& verb =
      add_verb(app, {"ab", "the same jobs under two configurations, interleaved, and what may be said of it", "Proving",
                     "pinion ab heap.toml pinned.toml --job FAMILY=c1.json --out report\n"
                     "pinion ab a.toml b.toml --config pinion.toml --repetitions 20 --json"});
  verb.add_option("A", flags->a, "side A: a configuration file that holds what differs")->type_name("")->required();
  verb.add_option("B", flags->b, "side B: the same")->type_name("")->required();
  verb.add_option("--job", flags->jobs,
                  "what to prove on both sides; may be given again; default: the plugins' samples")
      ->type_name("FAMILY=INPUT");
  add_field_flag(verb, flags->fields);
  add_number(verb, "--repetitions", flags->repetitions, {1, most_repetitions},
             "pairs of turns; fewer than 6 can show nothing");
  add_choice(verb, "--load", flags->load, {"idle", "busy", "both"}, "what the other cores do meanwhile");
  names_folder(*verb.add_option("--out", flags->out,
                                "write ab.txt, ab.json and ab.html into this existing folder; nothing is overwritten"));
  add_number(verb, "--seed", flags->seed, {},
             "of the order of turns and of the intervals; default: drawn, and printed");
  add_key_flag(verb, flags->host, "--params", "params.dir", "DIR", "folder of the parameter files");
  add_host_flags(verb, flags->host);
  add_json_flag(verb, flags->host);
  verb.callback([&program, flags] { program.action = [&program, flags] { return compare(program, *flags); }; });
}

}  // namespace pinion::host::cli
