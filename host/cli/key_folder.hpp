// A parameter folder as it is found, before its files are read: whether it can be searched, and what unfinished keys
// stand in it.
#pragma once

#include <filesystem>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/plugins/proof.hpp>
#include <string>
#include <vector>

namespace pinion::host::cli {

// Why nothing can be found in it: no folder, no right to search it. "" for none of these, and where nothing has that
// name, which every kind will say. [any]
std::string folder_fault(const std::filesystem::path& folder);

// NAME.partial of a key NAME: keys are written under that name until they are whole.
struct UnfinishedKey {
  std::filesystem::path path;
  Bytes bytes;
  bool being_written = false;  // a run holds it; else whoever made it was killed

  std::string text() const;  // with what to do
};

// Those of the kinds' files, each once. [any]
std::vector<UnfinishedKey> unfinished_keys(const std::vector<const Kind*>& kinds, const std::filesystem::path& folder);

}  // namespace pinion::host::cli
