#include "request_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <pinion/filecoin/json_fault.hpp>
#include <pinion/plugin/call.hpp>
#include <pinion/printable.hpp>

namespace pinion::filecoin {
namespace {

std::optional<Bytes32> from_hex(std::string_view digits) {
  Bytes32 out{};
  if (digits.size() != 2 * out.size()) return std::nullopt;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char* const pair = digits.data() + 2 * i;
    if (std::from_chars(pair, pair + 2, out[i], 16).ptr != pair + 2) return std::nullopt;
  }
  return out;
}

std::string text_of(const std::variant<std::uint64_t, Bytes32>& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return fmt::format("0x{:02x}", fmt::join(std::get<Bytes32>(value), ""));
}

}  // namespace

void refuse(const std::string& message) {
  throw Error(PINION_INVALID_INPUT, message);
}

RequestFacts::RequestFacts(std::string what, const pinion_request& request, std::span<const Key> keys)
    : what_(std::move(what)) {
  read_fields(request, keys);
  for (const pinion_part& part : std::span(request.parts, request.part_count))
    if (std::string_view(part.name) == "meta.json") read_meta(part, request.family, keys);
}

void RequestFacts::read_fields(const pinion_request& request, std::span<const Key> keys) {
  for (const pinion_field& field : std::span(request.fields, request.field_count)) {
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const Key& known) { return std::string_view(known.name) == field.key; });
    if (key == keys.end()) {
      std::string names;
      for (const Key& known : keys) names.append(names.empty() ? "" : ", ").append(known.name);
      refuse(fmt::format("field {}: unknown; a {} request may state {}", shown(field.key), what_, names));
    }
    const bool has_bytes = field.bytes.data != nullptr || field.bytes.size != 0;
    if (key->sort == Sort::number) {
      if (has_bytes) refuse(fmt::format("field {}: bytes, a number expected", field.key));
      state(field.key, field.number, "a field");
      continue;
    }
    Bytes32 bytes{};
    if (field.bytes.size != bytes.size())
      refuse(fmt::format("field {}: {}, 32 bytes expected", field.key,
                         has_bytes ? fmt::format("{} bytes", field.bytes.size) : "a number"));
    std::copy_n(field.bytes.data, bytes.size(), bytes.begin());
    state(field.key, bytes, "a field");
  }
}

void RequestFacts::read_meta(const pinion_part& part, std::string_view family, std::span<const Key> keys) {
  simdjson::dom::parser parser;
  simdjson::dom::object meta;
  const ByteView bytes = bytes_of(part.bytes);
  const simdjson::padded_string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const auto error = parser.parse(text).get(meta))
    refuse(fmt::format("meta.json: not a JSON object ({})", json_fault(error)));
  // Said first: that a fact is missing would be true too, and no help.
  if (std::string_view kind; !meta["kind"].get(kind) && kind != family)
    refuse(
        fmt::format("meta.json: kind {}: this folder is the input of another proof than {}", in_quotes(kind), what_));
  for (const Key& key : keys) {
    simdjson::dom::element value;
    // A registered proof may have its name there, and its number under another key or nowhere.
    const std::string numbered = std::string(key.name) + "_number";
    if (meta[numbered].get(value)) {
      if (meta[key.name].get(value)) continue;
      if (value.is_string() && numbered == "registered_proof_number") continue;
    }
    if (value.is_null()) continue;
    if (key.sort == Sort::number) {
      std::uint64_t number = 0;
      if (value.get(number)) refuse(fmt::format("meta.json: {}: a non-negative integer expected", key.name));
      state(key.name, number, "meta.json");
      continue;
    }
    std::string_view digits;
    const bool is_text = !value.get(digits);
    const auto decoded = is_text ? from_hex(digits) : std::nullopt;
    if (!decoded) refuse(fmt::format("meta.json: {}: 64 hexadecimal digits expected", key.name));
    state(key.name, *decoded, "meta.json");
  }
}

void RequestFacts::state(std::string_view key, const Value& value, std::string_view where) {
  if (const Value* known = find(key)) {
    if (*known != value)
      refuse(fmt::format("{}: {} was stated first, and {} by {}; leave one out, or make them the same", key,
                         text_of(*known), text_of(value), where));
    return;
  }
  facts_.emplace_back(key, value);
}

const RequestFacts::Value* RequestFacts::find(std::string_view key) const {
  for (const auto& [name, value] : facts_)
    if (name == key) return &value;
  return nullptr;
}

void RequestFacts::missing(std::string_view key) const {
  refuse(fmt::format("{}: a {} request must state it, as a field or in meta.json", key, what_));
}

std::optional<std::uint64_t> RequestFacts::number(std::string_view key) const {
  const Value* value = find(key);
  return value ? std::optional(std::get<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<Bytes32> RequestFacts::bytes32(std::string_view key) const {
  const Value* value = find(key);
  return value ? std::optional(std::get<Bytes32>(*value)) : std::nullopt;
}

std::uint64_t RequestFacts::needed_number(std::string_view key) const {
  const auto value = number(key);
  if (!value) missing(key);
  return *value;
}

Bytes32 RequestFacts::needed_bytes32(std::string_view key) const {
  const auto value = bytes32(key);
  if (!value) missing(key);
  return *value;
}

bls::Fr RequestFacts::needed_scalar(std::string_view key) const {
  const auto scalar = bls::Fr::from_bytes(needed_bytes32(key));
  if (!scalar) refuse(fmt::format("{}: not below the field's modulus", key));
  if (scalar->is_zero()) refuse(fmt::format("{}: zero", key));
  return *scalar;
}

std::vector<pinion_part> numbered_parts(const pinion_request& request, std::string_view prefix) {
  std::map<std::uint64_t, pinion_part> found;
  for (const pinion_part& part : std::span(request.parts, request.part_count)) {
    std::string_view name(part.name);
    if (!name.starts_with(prefix) || !name.ends_with(".bin")) continue;
    name = name.substr(prefix.size(), name.size() - prefix.size() - 4);
    std::uint64_t n = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), n).ptr != name.data() + name.size() || name.empty())
      continue;
    if (!found.emplace(n, part).second) refuse(fmt::format("{}: there are two of it", part.name));
  }
  std::vector<pinion_part> out;
  for (const auto& [n, part] : found) {
    if (n != out.size()) refuse(fmt::format("{}{}.bin is missing: the next one is {}", prefix, out.size(), part.name));
    out.push_back(part);
  }
  if (out.empty()) refuse(fmt::format("no part named {}0.bin, {}1.bin … is in the request", prefix, prefix));
  return out;
}

}  // namespace pinion::filecoin
