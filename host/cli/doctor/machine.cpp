#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <pinion/host/base/proc_text.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/doctor/machine.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;

// The file without blanks and line ends around it; nothing when it cannot be read.
std::optional<std::string> read(const fs::path& path) {
  const auto text = read_small_file(path);
  if (!text) return std::nullopt;
  return std::string(trimmed(*text));
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// The names in a folder, sorted; empty when there is none.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code missing;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder, missing)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

Finding examine_gpu(const fs::path& device, const std::string& driver) {
  const std::string what = "gpu " + device.filename().string();
  if (driver.empty()) {
    return {Level::fail, what, "a graphics device without a loaded driver",
            "install the vendor's driver and reboot; until then the backends that need it are not available"};
  }
  const auto speed = read(device / "current_link_speed").value_or("unknown");
  const auto top_speed = read(device / "max_link_speed").value_or("unknown");
  const auto width = read(device / "current_link_width").value_or("?");
  const auto top_width = read(device / "max_link_width").value_or("?");
  const auto link = fmt::format("driver {}, link {} x{}", driver, speed, width);
  if (width != top_width) {
    return {Level::warn, what, fmt::format("{}, of x{}", link, top_width),
            "the card does not have all its lanes: reseat it or use another slot"};
  }
  if (speed != top_speed) {
    return {Level::warn, what, fmt::format("{}, of {}", link, top_speed),
            "idle cards lower their link; if it stays so under load, look at the slot and the riser"};
  }
  return {Level::pass, what, link, ""};
}

// CAP_IPC_LOCK among the effective capabilities.
bool may_lock_all(const fs::path& root) {
  constexpr int ipc_lock = 14;
  const auto status = read(root / "proc/self/status");
  const auto text = status ? field(*status, "CapEff") : std::nullopt;
  if (!text) return false;
  std::uint64_t capabilities = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), capabilities, 16);
  return error == std::errc() && (capabilities >> ipc_lock & 1) != 0;
}

bool is_graphics_device(const fs::path& device) {
  const auto vendor = read(device / "vendor");
  const auto device_class = read(device / "class");
  return vendor == "0x10de" && device_class && device_class->starts_with("0x03");
}

}  // namespace

Finding examine_processor(const fs::path& root) {
  const auto text = read(root / "proc/cpuinfo");
  if (!text) return {Level::warn, "processor", "/proc/cpuinfo cannot be read", ""};
  const auto flags = words_of(std::string(field(*text, "flags").value_or("")));
  const auto has = [&flags](const char* flag) { return std::find(flags.begin(), flags.end(), flag) != flags.end(); };
  std::string found;
  std::string missing;
  for (const char* flag : {"avx2", "bmi2", "adx"}) (has(flag) ? found : missing) += std::string(" ") + flag;
  for (const char* flag : {"sha_ni", "avx512f", "avx512ifma"}) {
    if (has(flag)) found += std::string(" ") + flag;
  }
  const auto name = field(*text, "model name").value_or("");
  const auto state = fmt::format("{};{}", name.empty() ? "unnamed" : name, found.empty() ? " no extensions" : found);
  if (missing.empty()) return {Level::pass, "processor", state, ""};
  return {Level::warn, "processor", fmt::format("{}; without{}", state, missing),
          "field arithmetic runs slower here; in a virtual machine, pass the processor's features through"};
}

Finding examine_huge_pages(const fs::path& root) {
  const auto text = read(root / "sys/kernel/mm/transparent_hugepage/enabled");
  if (!text) return {Level::warn, "huge pages", "this kernel offers none", "large buffers cost more TLB misses"};
  if (text->find("[never]") == std::string::npos) return {Level::pass, "huge pages", *text, ""};
  return {Level::warn, "huge pages", *text,
          "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled: large buffers ask for huge pages"};
}

Finding examine_numa(const fs::path& root) {
  std::size_t nodes = 0;
  for (const auto& path : entries_of(root / "sys/devices/system/node")) {
    const auto name = path.filename().string();
    if (name.starts_with("node") && name.size() > 4 && std::isdigit(static_cast<unsigned char>(name[4]))) ++nodes;
  }
  if (nodes <= 1) return {Level::pass, "numa", "one node", ""};
  return {Level::pass, "numa", fmt::format("{} nodes: buffers are placed near the device that reads them", nodes), ""};
}

Findings examine_gpus(const fs::path& root) {
  const auto driver = read(root / "sys/module/nvidia/version").value_or("");
  Findings findings;
  for (const auto& device : entries_of(root / "sys/bus/pci/devices")) {
    if (is_graphics_device(device)) findings.push_back(examine_gpu(device, driver));
  }
  if (findings.empty()) {
    findings.push_back({Level::warn, "gpu", "none", "proofs are made on the processor, many times slower"});
  }
  return findings;
}

Finding examine_locked_memory(std::uint64_t limit, const fs::path& root) {
  if (limit == RLIM_INFINITY) return {Level::pass, "locked memory", "no limit", ""};
  if (may_lock_all(root))
    return {
        Level::pass, "locked memory",
        fmt::format("limit {}, which does not hold for this process: it has CAP_IPC_LOCK", human_text(Bytes(limit))),
        ""};
  return {Level::warn, "locked memory", "limit " + human_text(Bytes(limit)),
          "page-locked buffers may be refused: LimitMEMLOCK=infinity in the unit file, or ulimit -l unlimited"};
}

std::uint64_t locked_memory_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
  return limit.rlim_cur;
}

}  // namespace pinion::host::cli
