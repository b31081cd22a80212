// Inputs that a person names on the command line, read whole. What is written is outputs.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/status.hpp>
#include <pinion/host/pipeline/request.hpp>
#include <stop_token>
#include <string>
#include <vector>

namespace pinion::host::cli {

// A file's bytes; standard input's for "-". Errors as those of base/regular_file.hpp, and cancelled: `stop` before the
// end of standard input. [main]
Result<std::vector<std::uint8_t>> read_bytes(const std::string& name, Bytes most, const std::stop_token& stop);

// A file as one part under its own name ("-": standard input), or every regular file of a folder, by name.
// invalid_input: not there, not readable, neither file nor folder, an empty folder. over_budget: more than `most` in
// all, of which nothing beyond `most` was read. cancelled: as read_bytes. [main]
Result<std::vector<RequestPart>> read_input(const std::filesystem::path& path, Bytes most,
                                            const std::stop_token& stop = {});

// Of --field. "miner_id=1000": a number. "randomness=0x0011…": bytes. usage otherwise. [any]
Result<std::vector<RequestField>> parse_fields(const std::vector<std::string>& texts);

// What a plugin finds wrong in an input, with the input's name: which it was, only who read it knows. Other outcomes
// stay as they are. [any]
Status about_input(const Status& status, const std::filesystem::path& input);

// What is asked of a family, of an input and of --field; fails as they do. [main]
Result<ProveRequest> read_request(const std::string& family, const std::filesystem::path& input,
                                  const std::vector<std::string>& fields, Bytes most, const std::stop_token& stop);

}  // namespace pinion::host::cli
