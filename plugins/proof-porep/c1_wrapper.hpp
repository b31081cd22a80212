// The two ways a C1 output travels: bare (filecoin-proofs-api's SealCommitPhase1Output as JSON), or as Curio and
// lotus-bench store it, {"SectorNum": …, "Phase1Out": "<base64 of the bare form>", "SectorSize": …}.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <pinion/filecoin/digest.hpp>
#include <pinion/porep/json_reader.hpp>
#include <string_view>

namespace pinion::filecoin {

// What the wrapper says beside the C1 itself.
struct C1Wrapper {
  std::uint64_t sector_number = 0;
  std::uint64_t sector_bytes = 0;
};

struct BareC1 {
  std::unique_ptr<json::Document> document;  // of the bare form
  std::optional<C1Wrapper> wrapper;
};

// Finds out which form `bytes` has, by its first known field, and unwraps it. Copies: the bare text once. Throws
// pinion::Error INVALID_INPUT. [worker]
BareC1 open_c1(ByteView bytes);

// Standard alphabet, padded, no white space (RFC 4648 §4). Throws INVALID_INPUT at `at`, naming the character at fault.
simdjson::padded_string decode_base64(std::string_view text, const json::Place& at);

}  // namespace pinion::filecoin
