// Reading JSON strictly, in one pass, with every error naming the field at fault: simdjson's on-demand parser plus a
// trail of where one is. Accepts what serde_json accepts for a derived struct: fields in any order, unknown fields
// ignored (but well formed), known fields exactly once. Knows nothing of C1. Errors are pinion::Error, INVALID_INPUT.
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <cstdint>
#include <pinion/filecoin/digest.hpp>
#include <pinion/plugin/error.hpp>
#include <string>
#include <string_view>

namespace pinion::filecoin::json {

using Value = simdjson::ondemand::value;

class Document;

// Where a value stands: "vanilla_proofs.StackedDrg2KiBV1[0][1]". A chain of stack objects, so that following it costs
// nothing until something is wrong. A Place must not outlive its parent.
class Place {
 public:
  explicit Place(const Document& document) : document_(&document) {}
  Place field(std::string_view key) const { return {this, key, 0}; }
  Place element(std::size_t index) const { return {this, {}, index}; }
  // Throws pinion::Error: the path, what is wrong with it, and about which byte.
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  Place(const Place* parent, std::string_view key, std::size_t index)
      : document_(parent->document_), parent_(parent), key_(key), index_(index) {}
  void append_to(std::string& text) const;

  const Document* document_;
  const Place* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

// A whole JSON text and the parser at work on it. Memory: the text, plus four bytes for each byte of it at worst.
class Document {
 public:
  // `what` names the text in errors ("C1 JSON"). Throws when the text is empty or cut short, is not UTF-8 or holds
  // unpaired quotes.
  Document(simdjson::padded_string text, std::string what);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // The root object or array, from its beginning; may be called again.
  Value root();
  Place place() const { return Place(*this); }
  // Throws when anything but white space follows the root, which must have been read to its end.
  void expect_end();

 private:
  friend class Place;
  void refuse_other_text() const;
  std::string position() const;

  simdjson::padded_string text_;
  std::string what_;
  simdjson::ondemand::parser parser_;
  mutable simdjson::ondemand::document document_;
  bool indexed_ = false;  // document_ may be asked for a position
};

// As much of a text from the input as a message has room for.
std::string beginning(std::string_view text);
// What `value` is, for messages: "a string", "the number 300".
std::string describe(Value& value);
// Fails with what was found and what was expected instead.
[[noreturn]] void fail_type(Value& value, const Place& at, std::string_view expected);
[[noreturn]] void fail_syntax(simdjson::error_code error, const Place& at);

// Walks over a value that nobody needs, refusing what is not JSON or nests deeper than serde_json follows (128).
void skip(Value value, const Place& at, unsigned depth = 0);

std::uint64_t read_unsigned(Value value, const Place& at, std::uint64_t most);
// Points into the document.
std::string_view read_string(Value value, const Place& at);
void read_null(Value value, const Place& at);
Bytes32 read_bytes32(Value value, const Place& at);
// 32 bytes, little-endian, below the modulus of Fr.
bls::Fr to_scalar(const Bytes32& bytes, const Place& at);
bls::Fr read_scalar(Value value, const Place& at);

// Calls read(Value, const Place&, index) for each element and returns their number; elements from `most` on are counted
// but not read.
template <class F>
std::size_t read_array(Value value, const Place& at, std::size_t most, F&& read) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array)) fail_type(value, at, "an array");
  std::size_t count = 0;
  for (auto element : array) {
    Value item;
    if (const auto error = element.get(item)) fail_syntax(error, at.element(count));
    if (count < most)
      read(item, at.element(count), count);
    else
      skip(item, at.element(count));
    ++count;
  }
  return count;
}
// The same for an array that must have `expected` elements; `unit` is what they are called in the message.
template <class F>
void read_exactly(Value value, const Place& at, std::size_t expected, std::string_view unit, F&& read) {
  const std::size_t count = read_array(value, at, expected, read);
  if (count != expected) at.fail(fmt::format("{} {}, {} expected", count, unit, expected));
}

// One known field of an object: read(Value, const Place&).
template <class F>
struct Field {
  std::string_view name;
  F read;
};
template <class F>
Field(std::string_view, F) -> Field<F>;

// Every listed field exactly once, in any order.
template <class... F>
void read_object(Value value, const Place& at, const Field<F>&... fields) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object)) fail_type(value, at, "an object");
  std::array<bool, sizeof...(F)> seen{};
  for (auto item : object) {
    std::string_view key;
    Value content;
    if (const auto error = item.unescaped_key().get(key)) fail_syntax(error, at);
    if (const auto error = item.value().get(content)) fail_syntax(error, at.field(key));
    std::size_t i = 0;
    const auto try_field = [&](const auto& field) {
      bool& done = seen[i++];
      if (field.name != key) return false;
      if (done) at.field(key).fail("stands there twice");
      done = true;
      field.read(content, at.field(key));
      return true;
    };
    if (!(try_field(fields) || ...)) skip(content, at.field(key));
  }
  std::size_t i = 0;
  const auto require = [&](std::string_view name) {
    if (!seen[i++]) at.field(name).fail("is missing");
  };
  (require(fields.name), ...);
}

// An object of exactly one field, as serde writes an enum variant that carries data: calls read(key, Value, Place).
template <class F>
void read_variant(Value value, const Place& at, F&& read) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object)) fail_type(value, at, "an object");
  std::size_t count = 0;
  for (auto item : object) {
    std::string_view key;
    Value content;
    if (const auto error = item.unescaped_key().get(key)) fail_syntax(error, at);
    if (const auto error = item.value().get(content)) fail_syntax(error, at.field(key));
    if (++count > 1) at.field(key).fail("stands beside another field where exactly one is expected");
    read(key, content, at.field(key));
  }
  if (count == 0) at.fail("an empty object, one field expected");
}

}  // namespace pinion::filecoin::json
