#include <algorithm>
#include <charconv>
#include <filesystem>
#include <pinion/host/base/proc_text.hpp>
#include <pinion/host/config/machine_process.hpp>

namespace pinion::host {
namespace {

std::optional<ProcessFact> read_process(const std::filesystem::path& folder, std::uint32_t pid) {
  const auto status = read_small_file(folder / "status");
  if (!status) return std::nullopt;
  ProcessFact process;
  process.pid = pid;
  process.name = field(*status, "Name").value_or("?");
  const auto resident = kilobytes(*status, "VmRSS");
  process.resident = resident.value_or(Bytes());
  process.ending = !resident;
  if (!process.ending) return process;
  // Kernel threads have no memory either. A zombie with its threads gone has given everything back.
  const bool kernel = field(*status, "Kthread").value_or("0") == "1" || field(*status, "PPid").value_or("") == "2";
  const bool zombie = field(*status, "State").value_or("").starts_with("Z");
  if (kernel || pid == 2 || (zombie && number(field(*status, "Threads").value_or("1")).value_or(1) <= 1))
    return std::nullopt;
  return process;
}

}  // namespace

Result<ProcessMemory> read_process_memory(const std::string& root) {
  const std::string file = "/proc/self/status";
  const auto text = read_small_file(root + file);
  if (!text) return Status(Code::unsupported, file + " cannot be read");
  const auto anonymous = kilobytes(*text, "RssAnon");
  if (!anonymous) return Status(Code::unsupported, file + " does not hold a line \"RssAnon: N kB\"");
  const auto figure = [&](const char* name) { return kilobytes(*text, name).value_or(Bytes()); };
  return ProcessMemory{*anonymous, figure("RssShmem"), figure("RssFile"), figure("VmHWM"), figure("VmLck")};
}

std::vector<ProcessFact> other_processes(const std::string& root) {
  std::vector<ProcessFact> out;
  std::error_code error;
  const std::string self = std::filesystem::read_symlink(root + "/proc/self", error).filename().string();
  for (std::filesystem::directory_iterator at(root + "/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const auto pid = number(name);
    if (!pid || *pid > UINT32_MAX || name == self) continue;
    if (auto process = read_process(at->path(), static_cast<std::uint32_t>(*pid))) out.push_back(std::move(*process));
  }
  std::sort(out.begin(), out.end(), [](const ProcessFact& a, const ProcessFact& b) { return a.resident > b.resident; });
  return out;
}

std::string own_name(const std::string& root) {
  const auto status = read_small_file(root + "/proc/self/status");
  return status ? std::string(field(*status, "Name").value_or("")) : "";
}

}  // namespace pinion::host
