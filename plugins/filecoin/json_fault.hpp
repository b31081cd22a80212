// What is wrong with a JSON text, in words of the text: the parser's own are of its inside. Not where: its caller
// knows.
#pragma once

#include <simdjson.h>

#include <string_view>

namespace pinion::filecoin {

// [any]
inline std::string_view json_fault(simdjson::error_code error) noexcept {
  switch (error) {
    case simdjson::UTF8_ERROR:
      return "it is not UTF-8";
    case simdjson::UNCLOSED_STRING:
      return "a text has no closing quote";
    case simdjson::UNESCAPED_CHARS:
      return "a text has a control character in it";
    case simdjson::STRING_ERROR:
      return "a text has an escape that JSON does not know";
    case simdjson::NUMBER_ERROR:
      return "a number is not written as JSON writes them";
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR:
      return "a word is neither true, false nor null";
    case simdjson::DEPTH_ERROR:
      return "it is nested too deeply";
    case simdjson::EMPTY:
      return "it is empty";
    case simdjson::CAPACITY:
      return "it is too large";
    case simdjson::INCORRECT_TYPE:
      return "a value is of another type";
    default:
      return "a comma, colon, bracket or quote is missing, or one too many";
  }
}

}  // namespace pinion::filecoin
