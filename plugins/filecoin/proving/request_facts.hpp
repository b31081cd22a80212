// What a request states beside its vanilla proofs: its fields, and a meta.json among its parts (a folder on the command
// line has one; a message has fields). A fact stated twice must be the same twice.
#pragma once

#include <pinion/proof.h>

#include <cstdint>
#include <optional>
#include <pinion/filecoin/digest.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pinion::filecoin {

// Fails with INVALID_INPUT.
[[noreturn]] void refuse(const std::string& message);

class RequestFacts {
 public:
  enum class Sort : std::uint8_t { number, bytes32 };
  struct Key {
    const char* name;
    Sort sort;
  };
  // `what` names the proof in errors ("SnapDeals"). A field that is not among `keys`, or is of another sort, is
  // refused; so is a meta.json that is no JSON object or holds a known key in another form (numbers, 64 hexadecimal
  // digits; null is no fact), or a "kind" that is not the request's family. Other keys of meta.json are not looked at.
  // [worker]
  RequestFacts(std::string what, const pinion_request& request, std::span<const Key> keys);

  std::optional<std::uint64_t> number(std::string_view key) const;
  std::optional<Bytes32> bytes32(std::string_view key) const;
  // The same, where the request cannot do without.
  std::uint64_t needed_number(std::string_view key) const;
  Bytes32 needed_bytes32(std::string_view key) const;
  // A commitment: canonical, and not zero.
  bls::Fr needed_scalar(std::string_view key) const;

 private:
  using Value = std::variant<std::uint64_t, Bytes32>;
  void read_fields(const pinion_request& request, std::span<const Key> keys);
  void read_meta(const pinion_part& part, std::string_view family, std::span<const Key> keys);
  void state(std::string_view key, const Value& value, std::string_view where);
  const Value* find(std::string_view key) const;
  [[noreturn]] void missing(std::string_view key) const;

  std::string what_;
  std::vector<std::pair<std::string, Value>> facts_;
};

// The parts named PREFIXn.bin, for n = 0, 1 … without a gap, in order of n; `prefix` is "partition-" or "sector-".
// Other parts are not looked at: a folder may hold the proof too. Refuses a gap, and a request that has none. [any]
std::vector<pinion_part> numbered_parts(const pinion_request& request, std::string_view prefix);

}  // namespace pinion::filecoin
