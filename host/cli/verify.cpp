#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/files.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/result.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

struct VerifyFlags {
  HostFlags host;
  std::string family;
  std::string input;
  std::string proof;
  std::vector<std::string> fields;
};

Exit verify(Program& program, const VerifyFlags& flags) {
  auto& console = program.console;
  if (flags.input == "-" && flags.proof == "-")
    return console.fail(Exit::usage, "INPUT and PROOF are both '-': standard input can be one of them");
  auto host = OneShotHost::open(program, flags.host, Needs::proofs_only);
  if (!host) return console.fail(host.status());
  if (const auto status = (*host)->prover().check_family(flags.family); !status.ok()) return console.misused(status);
  const Bytes most = memory_use((*host)->prover().snapshot()).budget;
  auto request = read_request(flags.family, flags.input, flags.fields, most, program.stop);
  if (!request) return console.fail(request.status());
  request->allow_test_keys = true;  // the proof plugin says so when the keys are not the published ones
  const auto proof = read_bytes(flags.proof, most, program.stop);
  if (!proof) return console.fail(proof.status());
  const auto status = (*host)->prover().verify(*std::move(request), *proof, program.stop);
  const bool answered = status.ok() || status.code() == Code::proof_invalid;
  if (flags.host.json && answered) {
    console.print_json({{"valid", status.ok()}, {"reason", status.message()}, {"bytes", proof->size()}});
    return exit_for(status.code());
  }
  if (status.code() == Code::proof_invalid)
    return console.fail(
        Exit::proof_invalid,
        fmt::format(
            "{0}: {1}: it is not a proof of {2} by the keys in {3}; is it of another input, made with other keys, "
            "or with other facts (--field)?",
            shown(flags.proof), status.message(), shown(flags.input), shown(*(*host)->config().params.dir)));
  if (!status.ok())
    return console.fail(about_input(status, flags.input),
                        fmt::format("{} is neither verified nor refused", shown(flags.proof)));
  console.print(fmt::format("{}: {} bytes, valid for {}", shown(flags.proof), proof->size(), shown(flags.input)));
  return Exit::success;
}

}  // namespace

void add_verify(CLI::App& app, Program& program) {
  auto flags = std::make_shared<VerifyFlags>();
  auto& verb = add_verb(app, {"verify", "check a proof, made here or elsewhere, against its input", "Proving",
                              "pinion verify FAMILY c1.json proof.bin\n"
                              "pinion verify FAMILY c1.json proof.bin --params DIR --json"});
  verb.add_option("FAMILY", flags->family, "what is proved, as in the examples; 'pinion sector list' has all")
      ->type_name("")
      ->required();
  verb.add_option("INPUT", flags->input, "the input it was made from: a file, or a folder")->type_name("")->required();
  verb.add_option("PROOF", flags->proof, "the proof: the partitions' proofs, one after the other")
      ->type_name("")
      ->required();
  add_field_flag(verb, flags->fields);
  add_key_flag(verb, flags->host, "--params", "params.dir", "DIR", "folder of the parameter files");
  add_host_flags(verb, flags->host);
  add_json_flag(verb, flags->host);
  verb.callback([&program, flags] { program.action = [&program, flags] { return verify(program, *flags); }; });
}

}  // namespace pinion::host::cli
