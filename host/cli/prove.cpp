#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <pinion/host/cli/files.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/result.hpp>
#include <pinion/host/cli/status_file.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

struct ProveFlags {
  HostFlags host;
  std::string family;
  std::string input;
  std::vector<std::string> fields;
  std::optional<std::uint64_t> partition;
  bool parts = false;
  OutputFlag out{"--out"};  // a folder with --parts
  OutputFlag status{"--status", true};
};

fs::path part_file(const ProveFlags& flags, std::uint32_t partition) {
  return fs::path(flags.out.name) / fmt::format("part-{}.bin", partition);
}

// Of --parts. How many there will be only the plugin knows, so any of them in the folder is refused.
Status check_parts_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return {Code::unsupported, fmt::format("--out {}: with --parts this is a folder; make it first", shown(folder))};
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("part-")) return check_output(entry.path());
  }
  return {};
}

// Before any work: what stands in the way of the result.
Status check_outputs(Console& console, const ProveFlags& flags) {
  std::error_code error;
  if (flags.status.is_file() && fs::equivalent(flags.status.name, flags.input, error))
    return {Code::unsupported, fmt::format("--status {}: is the input; choose another name", shown(flags.status.name))};
  if (flags.parts) {
    if (auto checked = check_parts_folder(flags.out.name); !checked.ok()) return checked;
    return claim_outputs(console, {&flags.status, &flags.host.trace}, flags.host.json);
  }
  if (flags.out.standard() && console.terminal().out)
    return {Code::unsupported,
            "--out -: standard output is a terminal, and a proof is bytes; send it to a file or a pipe"};
  return claim_outputs(console, {&flags.out, &flags.status, &flags.host.trace}, flags.host.json);
}

Result<ProveRequest> request_of(const ProveFlags& flags, Bytes most, const std::stop_token& stop) {
  auto request = read_request(flags.family, flags.input, flags.fields, most, stop);
  if (!request) return request;
  if (flags.partition) request->partition = static_cast<std::uint32_t>(*flags.partition);
  request->parts_only = flags.parts;
  // One proof by hand; the proof plugin says so when the keys are not the published ones.
  request->allow_test_keys = true;
  return request;
}

Status write_result(Console& console, const ProveFlags& flags, const ProveResult& result) {
  if (!flags.out.wanted()) return {};
  if (!flags.parts) return write_output(console, flags.out, flags.partition ? result.parts.at(0).bytes : result.proof);
  for (const auto& part : result.parts) {
    if (auto status = write_new_file(part_file(flags, part.partition), part.bytes); !status.ok()) return status;
  }
  return {};
}

Result<ProveResult> prove_watched(Program& program, OneShotHost& host, const ProveFlags& flags, ProveRequest request) {
  std::optional<StatusFile> status;
  if (flags.status.is_file()) {
    status.emplace(flags.status.name, [&host] { return json_text(host.prover().snapshot()); });
  }
  auto result = [&] {
    Progress bar(program.console);
    return host.prover().prove(std::move(request), program.stop, progress_on(bar));
  }();
  if (status) {
    if (const auto written = status->finish(); !written.ok()) program.console.lost(written);
  }
  return result;
}

Exit prove(Program& program, const ProveFlags& flags) {
  auto& console = program.console;
  if (const auto status = check_outputs(console, flags); !status.ok()) return console.fail(status);
  auto host = OneShotHost::open(program, flags.host, Needs::everything);
  if (!host) return console.fail(host.status());
  if (const auto status = (*host)->prover().check_family(flags.family); !status.ok()) return console.misused(status);
  auto request = request_of(flags, memory_use((*host)->prover().snapshot()).budget, program.stop);
  if (!request) return console.fail(request.status());
  const auto result = prove_watched(program, **host, flags, *std::move(request));
  if (flags.status.standard()) console.write(bytes_of(json_text((*host)->prover().snapshot()) + '\n'));
  if (!result)
    return console.fail(about_input(result.status(), flags.input),
                        fmt::format("{} is not proven, and nothing was written{}", shown(flags.input),
                                    flags.status.wanted() ? " but the status" : ""));
  if (const auto status = write_result(console, flags, *result); !status.ok()) return console.fail(status);
  const auto memory = memory_use((*host)->prover().snapshot());
  if (flags.host.json) {
    console.print_json(to_json(*result, memory));
  } else {
    print_result(console, *result, memory);
    if (flags.out.is_file()) console.print(fmt::format("written   {}", shown(flags.out.name)));
  }
  return Exit::success;
}

}  // namespace

void add_prove(CLI::App& app, Program& program) {
  auto flags = std::make_shared<ProveFlags>();
  auto& verb = add_verb(app, {"prove", "prove one input, without a daemon; verified before it is written", "Proving",
                              "pinion prove FAMILY c1.json --params DIR --out proof.bin\n"
                              "pinion prove FAMILY c1.json --field miner_id=1000 --field sector_number=7\n"
                              "pinion prove FAMILY c1.json --partition 3 --out part-3.bin --json\n"
                              "pinion prove FAMILY c1.json --allocator alloc-heap --status status.json"});
  verb.add_option("FAMILY", flags->family, "what is proved, as in the examples; 'pinion sector list' has all")
      ->type_name("")
      ->required();
  verb.add_option("INPUT", flags->input, "a file, or a folder whose files are the input")->type_name("")->required();
  add_output_flag(verb, flags->out, "write the proof here; nothing is overwritten");
  add_field_flag(verb, flags->fields);
  add_number(verb, "--partition", flags->partition, {0, UINT32_MAX}, "prove only this partition");
  verb.add_flag("--parts", flags->parts, "the partitions' proofs, as files part-K.bin in the folder --out names")
      ->needs("--out");
  add_output_flag(verb, flags->status, "keep the host's status in this file as JSON, new every second");
  add_key_flag(verb, flags->host, "--params", "params.dir", "DIR", "folder of the parameter files");
  add_proving_flags(verb, flags->host);
  verb.callback([&program, flags] { program.action = [&program, flags] { return prove(program, *flags); }; });
}

}  // namespace pinion::host::cli
