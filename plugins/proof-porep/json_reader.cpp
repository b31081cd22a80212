#include <pinion/filecoin/json_fault.hpp>
#include <pinion/porep/json_reader.hpp>
#include <pinion/printable.hpp>
#include <utility>

namespace pinion::filecoin::json {

std::string beginning(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;  // inside a character
  return std::string(text.substr(0, end)) + "…";
}

void Place::append_to(std::string& text) const {
  if (parent_ == nullptr) return;
  parent_->append_to(text);
  if (key_.data() == nullptr) {
    text += fmt::format("[{}]", index_);
    return;
  }
  if (!text.empty()) text += '.';
  text += shown(beginning(key_));
}

void Place::fail(std::string_view problem) const {
  std::string path;
  append_to(path);
  if (path.empty()) path = document_->what_;
  throw Error(PINION_INVALID_INPUT, fmt::format("{}: {}{}", path, problem, document_->position()));
}

Document::Document(simdjson::padded_string text, std::string what) : text_(std::move(text)), what_(std::move(what)) {
  if (text_.data() == nullptr && text_.size() != 0) throw std::bad_alloc();
  refuse_other_text();
  if (const auto error = parser_.iterate(text_).get(document_)) fail_syntax(error, place());
  indexed_ = true;
}

// Another file altogether, and the commonest damage to a large one, told before a parser stumbles somewhere in it.
void Document::refuse_other_text() const {
  constexpr std::string_view blanks = " \t\r\n";
  const std::string_view text(text_.data(), text_.size());
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) place().fail("empty");
  if (text[first] != '{' && text[first] != '[')
    place().fail(fmt::format("begins with the byte {:#04x} where '{{' (0x7b) is expected: is it another file?",
                             static_cast<unsigned char>(text[first])));
  const char close = text[first] == '{' ? '}' : ']';
  if (text[text.find_last_not_of(blanks)] != close)
    place().fail(fmt::format("its {} bytes do not end with '{}': was it cut short?", text.size(), close));
}

Value Document::root() {
  document_.rewind();
  Value value;
  if (const auto error = document_.get_value().get(value)) fail_syntax(error, place());
  return value;
}

void Document::expect_end() {
  const char* rest = nullptr;
  if (document_.current_location().get(rest) == simdjson::SUCCESS) place().fail("more text after the end");
}

std::string Document::position() const {
  const char* here = nullptr;
  if (!indexed_ || document_.current_location().get(here) != simdjson::SUCCESS) return {};
  return fmt::format(" (near byte {} of the {})", here - text_.data(), what_);
}

void fail_syntax(simdjson::error_code error, const Place& at) {
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  at.fail(fmt::format("not valid JSON: {}", json_fault(error)));
}

std::string describe(Value& value) {
  simdjson::ondemand::json_type type{};
  if (const auto error = value.type().get(type)) return std::string(json_fault(error));
  std::string_view token;
  switch (type) {
    case simdjson::ondemand::json_type::array:
      return "an array";
    case simdjson::ondemand::json_type::object:
      return "an object";
    case simdjson::ondemand::json_type::string:
      return "a string";
    case simdjson::ondemand::json_type::null:
      return "null";
    case simdjson::ondemand::json_type::boolean:
      return "a boolean";
    case simdjson::ondemand::json_type::number:
      break;
  }
  token = value.raw_json_token();
  return "the number " + shown(beginning(token.substr(0, token.find_first_of(" \t\r\n"))));
}

void fail_type(Value& value, const Place& at, std::string_view expected) {
  at.fail(fmt::format("{}, {} expected", describe(value), expected));
}

void skip(Value value, const Place& at, unsigned depth) {
  constexpr unsigned deepest = 128;
  if (depth > deepest) at.fail(fmt::format("nested more than {} levels deep", deepest));
  simdjson::ondemand::json_type type{};
  if (const auto error = value.type().get(type)) fail_syntax(error, at);
  switch (type) {
    case simdjson::ondemand::json_type::array: {
      simdjson::ondemand::array array;
      if (const auto error = value.get_array().get(array)) fail_syntax(error, at);
      std::size_t i = 0;
      for (auto element : array) {
        Value item;
        if (const auto error = element.get(item)) fail_syntax(error, at.element(i));
        skip(item, at.element(i++), depth + 1);
      }
      return;
    }
    case simdjson::ondemand::json_type::object: {
      simdjson::ondemand::object object;
      if (const auto error = value.get_object().get(object)) fail_syntax(error, at);
      for (auto field : object) {
        std::string_view key;
        Value item;
        if (const auto error = field.unescaped_key().get(key)) fail_syntax(error, at);
        if (const auto error = field.value().get(item)) fail_syntax(error, at.field(key));
        skip(item, at.field(key), depth + 1);
      }
      return;
    }
    case simdjson::ondemand::json_type::string:
      read_string(value, at);
      return;
    case simdjson::ondemand::json_type::number:
      if (const auto error = value.get_double().error()) fail_syntax(error, at);
      return;
    case simdjson::ondemand::json_type::boolean:
      if (const auto error = value.get_bool().error()) fail_syntax(error, at);
      return;
    case simdjson::ondemand::json_type::null:
      read_null(value, at);
      return;
  }
}

std::uint64_t read_unsigned(Value value, const Place& at, std::uint64_t most) {
  std::uint64_t number = 0;
  if (value.get_uint64().get(number) || number > most)
    fail_type(value, at, fmt::format("a whole number from 0 to {}", most));
  return number;
}

std::string_view read_string(Value value, const Place& at) {
  std::string_view text;
  const auto error = value.get_string().get(text);
  if (error == simdjson::INCORRECT_TYPE) fail_type(value, at, "a string");
  if (error) fail_syntax(error, at);
  return text;
}

void read_null(Value value, const Place& at) {
  bool null = false;
  if (value.is_null().get(null) || !null) fail_type(value, at, "null");
}

// Nearly all of a C1 passes here, so a number's Place is made only when it is wrong.
Bytes32 read_bytes32(Value value, const Place& at) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array)) fail_type(value, at, "an array");
  Bytes32 out{};
  std::size_t count = 0;
  for (auto element : array) {
    std::uint64_t number = 0;
    Value item;
    if (const auto error = element.get(item)) fail_syntax(error, at.element(count));
    if (item.get_uint64().get(number) || number > 255) fail_type(item, at.element(count), "a byte (0 to 255)");
    if (count < out.size()) out[count] = static_cast<std::uint8_t>(number);
    ++count;
  }
  if (count != out.size()) at.fail(fmt::format("{} numbers, {} expected", count, out.size()));
  return out;
}

bls::Fr to_scalar(const Bytes32& bytes, const Place& at) {
  if (const auto scalar = bls::Fr::from_bytes(bytes)) return *scalar;
  at.fail(fmt::format("{} (little-endian) is not below the modulus of the scalar field", to_hex(bytes)));
}

bls::Fr read_scalar(Value value, const Place& at) {
  return to_scalar(read_bytes32(value, at), at);
}

}  // namespace pinion::filecoin::json
