#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <pinion/host/ab/machine.hpp>
#include <pinion/host/ab/random.hpp>
#include <pinion/host/base/proc_text.hpp>
#include <thread>

namespace pinion::host::ab {
namespace {

// "always [madvise] never" -> "madvise".
std::string chosen(const std::string& line) {
  const auto open = line.find('['), close = line.find(']');
  return open == std::string::npos || close == std::string::npos ? line : line.substr(open + 1, close - open - 1);
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "";
}

constexpr std::size_t copied = std::size_t{8} << 20;

double once(std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to) {
  const auto begin = std::chrono::steady_clock::now();
  Random random(from[0]);
  std::uint64_t sum = 0;
  for (int i = 0; i < 1'000'000; ++i) sum += random.next();
  std::memcpy(&from[8], &sum, sizeof sum);  // the sum is wanted, so the loop stays
  std::memcpy(to.data(), from.data(), copied);
  from[0] = to[copied - 1];
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::vector<Fact> machine_facts(const std::string& root) {
  const std::string cpu = root + "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
  const std::string processors = read_small_file(root + "/proc/cpuinfo").value_or("");
  std::vector<Fact> facts{
      {"processor", std::string(field(processors, "model name").value_or(""))},
      {"cores", std::to_string(std::thread::hardware_concurrency())},
      {"memory nodes", first_line(root + "/sys/devices/system/node/online")},
      {"huge pages", chosen(first_line(root + "/sys/kernel/mm/transparent_hugepage/enabled"))},
      {"governor", first_line(cpu)},
      {"load average", first_line(root + "/proc/loadavg")},
      {"kernel", kernel()},
  };
  std::erase_if(facts, [](const Fact& fact) { return fact.value.empty(); });
  return facts;
}

double control_seconds() {
  std::vector<std::uint8_t> from(copied, 1), to(copied, 2);
  double best = once(from, to);
  for (int i = 0; i < 4; ++i) best = std::min(best, once(from, to));
  return best;
}

std::uint64_t peak_resident() {
  return kilobytes(read_small_file("/proc/self/status").value_or(""), "VmHWM").value_or(Bytes()).count();
}

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace pinion::host::ab
