#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <pinion/host/plugins/gates.hpp>
#include <pinion/host/plugins/library.hpp>
#include <pinion/host/plugins/trial.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

constexpr int longest_ms = 10'000;

constexpr char came_through = '=';  // begins the child's answer; code of the plugin may end the child before

[[noreturn]] void load_and_tell(const Manifest& manifest, int answer) {
  for (const int fault : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV})
    ::signal(fault, SIG_DFL);  // the parent's are not for it
  const std::string text = came_through + Library::load(manifest).status().message();
  const auto written = ::write(answer, text.data(), text.size());
  ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

// What `answer` holds until its end, or nothing where that does not come in time.
std::optional<std::string> read_all(int answer) {
  std::string text;
  std::array<char, 4096> some{};
  for (pollfd waiting{answer, POLLIN, 0}; ::poll(&waiting, 1, longest_ms) > 0;) {
    const ssize_t n = ::read(answer, some.data(), some.size());
    if (n <= 0) return text;
    text.append(some.data(), static_cast<std::size_t>(n));
  }
  return std::nullopt;
}

}  // namespace

Status try_load(const Manifest& manifest) {
  const auto refuse = [&](const std::string& why) {
    return Status(Code::invalid_config, fmt::format("{} {}", shown(manifest.library), why));
  };
  // Most are refused here, and a child shares no more than it must with what is loaded.
  if (Status status = check_file(manifest); !status.ok()) return status;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return refuse(std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) load_and_tell(manifest, ends[1]);
  ::close(ends[1]);
  const auto answer = child > 0 ? read_all(ends[0]) : std::nullopt;
  ::close(ends[0]);
  if (child < 0) return refuse(fmt::format("cannot be tried: fork: {}", std::strerror(errno)));
  if (!answer) ::kill(child, SIGKILL);
  int ended = 0;
  while (::waitpid(child, &ended, 0) < 0 && errno == EINTR) continue;
  if (!answer) return refuse(fmt::format("did not load within {} s", longest_ms / 1000));
  if (!answer->starts_with(came_through))
    return refuse(fmt::format("cannot be loaded: doing so ended the process{}",
                              WIFSIGNALED(ended) ? fmt::format(" with signal {}", WTERMSIG(ended)) : ""));
  return answer->size() == 1 ? Status() : Status(Code::invalid_config, answer->substr(1));
}

}  // namespace pinion::host
