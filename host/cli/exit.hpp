// Exit codes of the program: what a script or a service manager decides by. docs/operations.md has the same table.
#pragma once

#include <pinion/host/base/status.hpp>

namespace pinion::host::cli {

enum class Exit : int {
  success = 0,
  problems_found = 1,  // the verb worked and its answer is no: `doctor`, `params check`
  usage = 2,           // what was typed is wrong: a verb, a flag, what a flag says, a name of what is not there
  config = 3,          // pinion.toml, or a plugin it names, is refused
  input = 4,           // a file given is malformed, belongs to something else, or is not there
  resources = 5,       // memory, devices or threads do not suffice
  proof_invalid = 6,   // a proof does not verify
  refused = 7,         // it would overwrite something, cannot be written, or is not offered for this kind
  internal = 70,       // a defect of pinion or of a plugin
  interrupted = 130,   // SIGINT or SIGTERM
};

// The exit code for an outcome. [any]
constexpr Exit exit_for(Code code) noexcept {
  switch (code) {
    case Code::ok:
      return Exit::success;
    case Code::cancelled:
      return Exit::interrupted;
    case Code::usage:
      return Exit::usage;
    case Code::invalid_input:
      return Exit::input;
    case Code::invalid_config:
      return Exit::config;
    case Code::out_of_memory:
    case Code::over_budget:
    case Code::device_lost:
      return Exit::resources;
    case Code::unsupported:
      return Exit::refused;
    case Code::proof_invalid:
      return Exit::proof_invalid;
    case Code::internal:
      return Exit::internal;
  }
  return Exit::internal;
}

}  // namespace pinion::host::cli
