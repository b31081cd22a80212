// A TOML file as tables of unread values with their places: what toml++ gives, without toml++.
#pragma once

#include <pinion/host/config/option.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct RawKey {
  std::string key;
  Origin origin;  // of the key's name
  RawValue value;
};

struct RawTable {
  std::string name;  // "memory", "plugin.alloc-heap"; "" for keys before the first table
  Origin origin;
  std::vector<RawKey> keys;
};

// Tables in the order of their names. A syntax error is the only problem of a file that has one. [any]
struct RawDocument {
  std::vector<RawTable> tables;
  std::vector<Problem> problems;
};
RawDocument read_toml(const std::string& file, const std::string& text);

}  // namespace pinion::host
