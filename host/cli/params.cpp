#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/key_folder.hpp>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ParamsFlags {
  HostFlags host;
  std::string family;
  std::string size;
  std::string out;
  std::string toxic_label;
  std::string file;
};

// What a plugin says of a file, in the order in which it says it.
class Facts {
 public:
  FactFn sink() {
    return [this](const std::string& key, const std::string& value) { facts_.emplace_back(key, value); };
  }
  ordered_json json() const {
    ordered_json document = ordered_json::object();
    for (const auto& [key, value] : facts_) document[key] = value;
    return document;
  }
  void print(Console& console) const {
    std::size_t width = 0;
    for (const auto& fact : facts_) width = std::max(width, fact.first.size());
    for (const auto& [key, value] : facts_) console.print(fmt::format("{:<{}}  {}", key, width, value));
  }

 private:
  std::vector<std::pair<std::string, std::string>> facts_;
};

// Before minutes of work: the folder, and the first file that stands in the way of new keys.
Result<OutputFolder> prepare_folder(const Kind& kind, const fs::path& path) {
  auto folder = OutputFolder::make(path, false);
  if (!folder) return folder.status().within("--out");
  for (const auto& file : kind.files) {
    if (auto status = check_output(folder->path() / file.name); !status.ok()) return status;
  }
  return folder;
}

Exit generate(Program& program, const ParamsFlags& flags) {
  auto& console = program.console;
  auto host = OneShotHost::open(program, flags.host, Needs::proofs_only);
  if (!host) return console.fail(host.status());
  const auto kind = kind_named((*host)->prover(), flags.family, flags.size);
  if (!kind) return console.misused(kind.status());
  const auto folder = prepare_folder(**kind, flags.out);
  if (!folder) return console.fail(folder.status());
  Facts facts;
  const auto status = [&] {
    Progress bar(console);
    return (*host)->prover().generate_keys(**kind, folder->path(), flags.toxic_label, facts.sink(), program.stop,
                                           progress_on(bar));
  }();
  if (!status.ok())
    return console.fail(status,
                        fmt::format("no keys were made, and what was begun in {} is removed", shown(flags.out)));
  if (flags.host.json) {
    console.print_json(facts.json());
  } else {
    facts.print(console);
    console.warn(
        "keys made here are for tests: whoever knows their secret can forge proofs; each has a .insecure file");
  }
  return Exit::success;
}

// One kind's files in the parameter folder.
struct Checked {
  const Kind* kind;
  Status status;
  bool present;
  Facts facts;
  std::vector<UnfinishedKey> unfinished;
};

bool any_file_of(const Kind& kind, const fs::path& folder) {
  std::error_code error;
  return std::any_of(kind.files.begin(), kind.files.end(),
                     [&](const KindFile& file) { return fs::exists(folder / file.name, error); });
}

std::string state_of(const Checked& checked) {
  if (!checked.present) return "absent";
  switch (checked.status.code()) {
    case Code::ok:
      return "good";
    case Code::unsupported:
      return "not published";
    case Code::cancelled:
      return "interrupted";
    default:
      return "BAD";
  }
}

std::vector<Checked> check_kinds(Program& program, OneShotHost& host, const std::vector<const Kind*>& kinds) {
  const auto folder = fs::absolute(*host.config().params.dir);
  std::vector<Checked> all;
  for (const auto* kind : kinds) {
    Checked checked{kind, {}, any_file_of(*kind, folder), {}, unfinished_keys({kind}, folder)};
    // A folder need not hold every kind; but when one kind is asked for, its plugin says what is missing.
    if (checked.present || kinds.size() == 1) {
      Progress bar(program.console);
      checked.status = host.prover().check_keys(*kind, folder, checked.facts.sink(), program.stop, progress_on(bar));
    }
    all.push_back(std::move(checked));
  }
  return all;
}

// What a kind's files weigh together, as published.
Bytes size_of(const Kind& kind) {
  Bytes bytes;
  for (const auto& file : kind.files) bytes += file.bytes;
  return bytes;
}

void print_checked(Console& console, const std::vector<Checked>& all, const fs::path& folder) {
  Table table({{"Kind"}, {"State"}, {"Files", Table::Align::right}, {"Size", Table::Align::right}});
  std::vector<std::string> reasons;
  for (const auto& checked : all) {
    const auto state = state_of(checked);
    const auto style = state == "good" ? Style::good : state == "BAD" ? Style::bad : Style::dim;
    const auto size = size_of(*checked.kind);
    table.row({checked.kind->id,
               {state, style},
               std::to_string(checked.kind->files.size()),
               size.zero() ? "" : human_text(size)});
    if (!checked.status.ok() && checked.status.code() != Code::cancelled) reasons.push_back(checked.status.message());
  }
  console.print(fmt::format("{}:\n\n{}", shown(folder), table.text(console)));
  for (const auto& reason : reasons) console.print(reason);
  const auto present = [](const Checked& checked) { return checked.present; };
  if (std::none_of(all.begin(), all.end(), present)) {
    console.print("no parameters here: --params names another folder; 'pinion params generate' makes test keys");
  }
  for (const auto& checked : all)
    for (const auto& unfinished : checked.unfinished) console.print(unfinished.text());
}

ordered_json to_json(const std::vector<Checked>& all) {
  auto rows = ordered_json::array();
  for (const auto& checked : all) {
    auto files = ordered_json::array();
    for (const auto& file : checked.kind->files) {
      files.push_back({{"name", file.name}, {"bytes", file.bytes.count()}, {"digest", file.digest}});
    }
    auto unfinished = ordered_json::array();
    for (const auto& one : checked.unfinished)
      unfinished.push_back(
          {{"name", one.path.filename().string()}, {"bytes", one.bytes.count()}, {"being_written", one.being_written}});
    rows.push_back({{"kind", checked.kind->id},
                    {"state", state_of(checked)},
                    {"reason", checked.status.message()},
                    {"expected", files},
                    {"unfinished", unfinished},
                    {"facts", checked.facts.json()}});
  }
  return rows;
}

Exit check(Program& program, const ParamsFlags& flags) {
  auto& console = program.console;
  if (flags.family.empty() != flags.size.empty()) {
    return console.fail(Exit::usage, "give FAMILY and --size together, or neither to check every kind");
  }
  auto host = OneShotHost::open(program, flags.host, Needs::proofs_only);
  if (!host) return console.fail(host.status());
  if (const auto fault = folder_fault(*(*host)->config().params.dir); !fault.empty())
    return console.fail(Exit::config, fault);
  auto kinds = (*host)->prover().kinds();
  if (!flags.family.empty()) {
    const auto kind = kind_named((*host)->prover(), flags.family, flags.size);
    if (!kind) return console.misused(kind.status());
    kinds = {*kind};
  }
  const auto all = check_kinds(program, **host, kinds);
  if (flags.host.json) {
    console.print_json(to_json(all));
  } else {
    print_checked(console, all, *(*host)->config().params.dir);
  }
  const auto stopped = std::count_if(all.begin(), all.end(),
                                     [](const Checked& checked) { return checked.status.code() == Code::cancelled; });
  if (stopped != 0)
    return console.interrupted(fmt::format("{} of {} kinds were not looked at to the end", stopped, all.size()));
  const auto good = [](const Checked& checked) { return checked.status.ok(); };
  const auto present = [](const Checked& checked) { return checked.present; };
  const bool sound = std::all_of(all.begin(), all.end(), good) && std::any_of(all.begin(), all.end(), present);
  return sound ? Exit::success : Exit::problems_found;
}

Exit info(Program& program, const ParamsFlags& flags) {
  auto& console = program.console;
  std::error_code error;
  if (!fs::is_regular_file(flags.file, error)) {
    return console.fail(Exit::input, fmt::format("{}: no such file", shown(flags.file)));
  }
  auto host = OneShotHost::open(program, flags.host, Needs::proofs_only);
  if (!host) return console.fail(host.status());
  Facts facts;
  const auto status = (*host)->prover().describe_keys(fs::absolute(flags.file), facts.sink());
  if (!status.ok()) return console.fail(status);
  if (flags.host.json) {
    console.print_json(facts.json());
  } else {
    facts.print(console);
  }
  return Exit::success;
}

using Action = Exit (*)(Program&, const ParamsFlags&);

void set_action(CLI::App& verb, Program& program, std::shared_ptr<ParamsFlags> flags, Action action) {
  add_host_flags(verb, flags->host);
  add_json_flag(verb, flags->host);
  verb.callback([&program, flags = std::move(flags), action] {
    program.action = [&program, flags, action] { return action(program, *flags); };
  });
}

void add_generate(CLI::App& params, Program& program) {
  auto flags = std::make_shared<ParamsFlags>();
  auto& verb = add_verb(params, {"generate", "make test keys; never over existing files, always marked insecure", "",
                                 "pinion params generate FAMILY --size 2KiB --out keys\n"
                                 "pinion params generate FAMILY --size 2KiB --out keys --toxic-label mine"});
  verb.add_option("FAMILY", flags->family, "what is proved with them, as in the examples; 'pinion sector list' has all")
      ->type_name("")
      ->required();
  verb.add_option("--size", flags->size, "sector size, as in 2KiB")->type_name("SIZE")->required();
  names_folder(*verb.add_option("--out", flags->out, "folder they go to; made when it is not there")->required());
  verb.add_option("--toxic-label", flags->toxic_label,
                  "derive the secret from this word, so that anybody can make the same keys")
      ->type_name("WORD");
  set_action(verb, program, flags, generate);
}

void add_check(CLI::App& params, Program& program) {
  auto flags = std::make_shared<ParamsFlags>();
  auto& verb = add_verb(params, {"check", "read parameter files whole: structure, points, published digest", "",
                                 "pinion params check\npinion params check FAMILY --size 32GiB --params DIR --json"});
  verb.add_option("FAMILY", flags->family, "only this family's; all when not given")->type_name("");
  verb.add_option("--size", flags->size, "sector size, as in 32GiB")->type_name("SIZE");
  add_key_flag(verb, flags->host, "--params", "params.dir", "DIR", "folder of the parameter files");
  set_action(verb, program, flags, check);
}

void add_info(CLI::App& params, Program& program) {
  auto flags = std::make_shared<ParamsFlags>();
  auto& verb = add_verb(
      params, {"info", "what one parameter file is, from its header", "", "pinion params info keys/some.params"});
  verb.add_option("FILE", flags->file, "the file")->type_name("")->required();
  set_action(verb, program, flags, info);
}

}  // namespace

void add_params(CLI::App& app, Program& program) {
  auto& params = add_verb(app, {"params", "make, check or describe parameter files", "Keys",
                                "pinion params check\npinion params generate FAMILY --size 2KiB --out keys"});
  params.require_subcommand(1);
  add_generate(params, program);
  add_check(params, program);
  add_info(params, program);
}

}  // namespace pinion::host::cli
