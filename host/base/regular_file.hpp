// Reading a whole file that somebody else wrote: never waits (a pipe, a device) and never reads more than the caller
// allows, whatever the file says of its size. Not for /proc, whose files have no size: proc_text.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/status.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// All bytes of a regular file of at most `most`. over_budget: it has more; nothing of it was read. invalid_input: it is
// not there, no regular file, or became shorter meanwhile. Messages begin with the path. [any]
Result<std::vector<std::uint8_t>> read_regular_bytes(const std::filesystem::path& path, Bytes most);
Result<std::string> read_regular_text(const std::filesystem::path& path, Bytes most);

}  // namespace pinion::host
