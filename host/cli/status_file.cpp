#include <condition_variable>
#include <mutex>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/status_file.hpp>

namespace pinion::host::cli {

StatusFile::StatusFile(std::filesystem::path path, std::function<std::string()> snapshot)
    : path_(std::move(path)), snapshot_(std::move(snapshot)) {
  writer_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      (void)write();  // a full disk must not end the proof; finish() reports it
      wake.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    }
  });
}

StatusFile::~StatusFile() = default;

Status StatusFile::finish() {
  writer_ = {};
  return write();
}

Status StatusFile::write() const {
  return replace_file(path_, snapshot_() + '\n').within("--status");
}

}  // namespace pinion::host::cli
