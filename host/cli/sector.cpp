#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/cli/temporary.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct SectorFlags {
  HostFlags host;
  std::string family;
  std::string size;
  std::uint64_t seed = 1;
  std::string out;
  std::vector<std::string> options;  // KEY=VALUE
};

Result<PluginTable> parse_choices(const std::vector<std::string>& texts) {
  PluginTable table;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Status(Code::usage, fmt::format("--option {}: KEY=VALUE is expected", in_quotes(text)));
    const RawValue value{RawScalar(text.substr(equals + 1)), {Origin::Source::flag, "--option", 0, 0}, true};
    if (!table.values.emplace(text.substr(0, equals), value).second)
      return Status(Code::usage, fmt::format("--option {}: given twice", shown(text.substr(0, equals))));
  }
  return table;
}

// A folder that has its name only once all of it is there; what was begun under another name goes away with it.
class NewFolder {
 public:
  static Result<NewFolder> begin(const fs::path& path) {
    if (auto status = check_output(path); !status.ok()) return status;
    auto part = Temporary::make(path.parent_path(), Temporary::Type::folder);
    if (!part)
      return Status(Code::unsupported, fmt::format("{}: cannot be made: {}", shown(path), part.status().message()));
    return NewFolder(path, *std::move(part));
  }
  const std::string& part() const noexcept { return part_.path(); }

  Status finish() {
    // A plain rename would take the place of an empty folder.
    if (::chmod(part().c_str(), 0755) != 0 ||
        ::renameat2(AT_FDCWD, part().c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0)
      return {Code::unsupported, fmt::format("{}: cannot be made: {}", shown(path_), std::strerror(errno))};
    part_.keep();
    return {};
  }

 private:
  NewFolder(fs::path path, Temporary part) : path_(std::move(path)), part_(std::move(part)) {}
  fs::path path_;
  Temporary part_;
};

// What lies in a folder made just now.
struct Made {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;

  static Made in(const fs::path& folder) {
    Made made;
    for (const auto& entry : fs::directory_iterator(folder)) {
      ++made.files;
      made.bytes += entry.file_size();
    }
    return made;
  }
};

using Facts = std::vector<std::pair<std::string, std::string>>;

void print_made(Console& console, const SectorFlags& flags, const Kind& kind, const Made& made, const Facts& facts,
                double seconds) {
  console.print(fmt::format("{}: {}, never sealed: {} {}, {}, in {:.1f} s", shown(flags.out), kind.title, made.files,
                            made.files == 1 ? "file" : "files", human_text(Bytes(made.bytes)), seconds));
  for (const auto& [key, value] : facts) console.print(fmt::format("{:<17} {}", key, value));
  console.print(fmt::format("prove it with     pinion prove {} {}", kind.family, shown(flags.out)));
}

ordered_json to_json(const SectorFlags& flags, const Kind& kind, const Made& made, const Facts& facts, double seconds) {
  ordered_json document{{"kind", kind.id},
                        {"seed", flags.seed},
                        {"folder", flags.out},
                        {"files", made.files},
                        {"bytes", made.bytes},
                        {"seconds", seconds},
                        {"facts", ordered_json::object()}};
  for (const auto& [key, value] : facts) document["facts"][key] = value;
  return document;
}

Exit fake(Program& program, const SectorFlags& flags) {
  auto& console = program.console;
  const auto choices = parse_choices(flags.options);
  if (!choices) return console.fail(choices.status());
  auto host = OneShotHost::open(program, flags.host, Needs::proofs_only);
  if (!host) return console.fail(host.status());
  auto& prover = (*host)->prover();
  const auto kind = kind_named(prover, flags.family, flags.size);
  if (!kind) return console.misused(kind.status());
  auto path = fs::absolute(flags.out).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "DIR/"
  auto folder = NewFolder::begin(path);
  if (!folder) return console.fail(folder.status());

  const SteadyClock clock;
  const auto begin = clock.now();
  Facts facts;
  const auto status = [&] {
    Progress bar(console);
    return prover.fake(
        **kind, flags.seed, *choices, folder->part(),
        [&](const std::string& key, const std::string& value) { facts.emplace_back(key, value); }, program.stop,
        progress_on(bar));
  }();
  // There is no input but what was typed.
  if (status.code() == Code::invalid_input) return console.misused(status);
  if (!status.ok())
    return console.fail(status, fmt::format("{} was not made, and what was begun is removed", shown(flags.out)));
  const double seconds = std::chrono::duration<double>(clock.now() - begin).count();
  const Made made = Made::in(folder->part());
  if (const auto finished = folder->finish(); !finished.ok()) return console.fail(finished);
  if (flags.host.json) {
    console.print_json(to_json(flags, **kind, made, facts, seconds));
  } else {
    print_made(console, flags, **kind, made, facts, seconds);
  }
  return Exit::success;
}

// Kinds of one family that can be told the same, which is usually all of them.
struct Offer {
  std::string family;
  std::vector<std::string> sizes;
  std::vector<DeclaredOption> options;
};

Result<std::vector<Offer>> offers(const Prover& prover) {
  const auto same = [](const DeclaredOption& a, const DeclaredOption& b) { return a.key == b.key && a.help == b.help; };
  std::vector<Offer> out;
  for (const auto* kind : prover.kinds()) {
    auto options = prover.fake_options(*kind);
    if (!options && options.status().code() == Code::unsupported) continue;
    if (!options) return options.status();
    const auto known = std::find_if(out.begin(), out.end(), [&](const Offer& offer) {
      return offer.family == kind->family &&
             std::equal(offer.options.begin(), offer.options.end(), options->begin(), options->end(), same);
    });
    if (known == out.end()) {
      out.push_back({kind->family, {exact_text(kind->sector)}, *std::move(options)});
    } else {
      known->sizes.push_back(exact_text(kind->sector));
    }
  }
  return out;
}

void print_offer(Console& console, const Offer& offer) {
  console.print(fmt::format("{}: {}", console.styled(Style::bold, offer.family), fmt::join(offer.sizes, ", ")));
  for (const auto& option : offer.options) {
    const auto choices = fmt::format("{}", fmt::join(option.rule.choices, ", "));
    const auto line = fmt::format("--option {}={}  {}{}", option.key, option.default_text.value_or(""), option.help,
                                  choices.empty() ? "" : " One of " + choices + ".");
    console.print("  " + wrapped(line, console.terminal().width, 4));
  }
}

ordered_json to_json(const Offer& offer) {
  auto options = ordered_json::array();
  for (const auto& option : offer.options) {
    options.push_back({{"key", option.key},
                       {"default", option.default_text.value_or("")},
                       {"choices", option.rule.choices},
                       {"help", option.help}});
  }
  return {{"family", offer.family}, {"sizes", offer.sizes}, {"options", options}};
}

Exit list(Program& program, const SectorFlags& flags) {
  auto& console = program.console;
  auto host = OneShotHost::open(program, flags.host, Needs::proofs_only);
  if (!host) return console.fail(host.status());
  const auto offered = offers((*host)->prover());
  if (!offered) return console.fail(offered.status());
  auto document = ordered_json::array();
  for (const auto& offer : *offered) {
    document.push_back(to_json(offer));
    if (!flags.host.json) print_offer(console, offer);
  }
  if (flags.host.json) console.print_json(document);
  return Exit::success;
}

void add_fake(CLI::App& sector, Program& program) {
  auto flags = std::make_shared<SectorFlags>();
  auto& verb =
      add_verb(sector, {"fake", "make a valid input of any size without sealing, to size and try a machine", "",
                        "pinion sector fake FAMILY --size 32GiB --seed 1 --out sector\n"
                        "pinion prove FAMILY sector --params DIR\n"
                        "pinion sector fake FAMILY --size 2KiB --out sector --option miner_id=7"});
  verb.add_option("FAMILY", flags->family, "what is to be proved with it; 'pinion sector list' shows all")
      ->type_name("")
      ->required();
  verb.add_option("--size", flags->size, "sector size, as in 32GiB")->type_name("SIZE")->required();
  add_number(verb, "--seed", flags->seed, {}, "the same number makes the same bytes");
  names_folder(*verb.add_option("--out", flags->out, "folder to make; nothing is overwritten")->required());
  verb.add_option("--option", flags->options, "a choice that 'pinion sector list' shows; several")
      ->type_name("KEY=VALUE")
      ->take_all();
  add_host_flags(verb, flags->host);
  add_json_flag(verb, flags->host);
  verb.callback([&program, flags] { program.action = [&program, flags] { return fake(program, *flags); }; });
}

void add_list(CLI::App& sector, Program& program) {
  auto flags = std::make_shared<SectorFlags>();
  auto& verb = add_verb(sector, {"list", "the inputs that can be made, and what can be chosen of them", "",
                                 "pinion sector list\npinion sector list --json"});
  add_host_flags(verb, flags->host);
  add_json_flag(verb, flags->host);
  verb.callback([&program, flags] { program.action = [&program, flags] { return list(program, *flags); }; });
}

}  // namespace

void add_sector(CLI::App& app, Program& program) {
  auto& sector = add_verb(app, {"sector", "inputs for those who have no sealed sector yet", "Proving",
                                "pinion sector fake FAMILY --size 32GiB --seed 1 --out sector"});
  sector.require_subcommand(1);
  add_fake(sector, program);
  add_list(sector, program);
}

}  // namespace pinion::host::cli
