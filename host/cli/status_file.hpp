// --status: what the host is doing, as JSON, kept in a file for whoever watches from outside.
#pragma once

#include <filesystem>
#include <functional>
#include <pinion/host/base/status.hpp>
#include <string>
#include <thread>

namespace pinion::host::cli {

class StatusFile {
 public:
  // Replaces `path` by snapshot() every second and once at the end; each time whole, never half. `snapshot` may be
  // called from a thread of this object. [main]
  StatusFile(std::filesystem::path path, std::function<std::string()> snapshot);
  ~StatusFile();
  StatusFile(const StatusFile&) = delete;
  StatusFile& operator=(const StatusFile&) = delete;

  // Whether the last write succeeded. [main], after the work
  Status finish();

 private:
  Status write() const;

  const std::filesystem::path path_;
  const std::function<std::string()> snapshot_;
  std::jthread writer_;
};

}  // namespace pinion::host::cli
