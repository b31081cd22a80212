#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <pinion/host/cli/streams.hpp>

namespace pinion::host::cli {

void secure_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is this one: those below are open.
    (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of the write, like a full disk
}

}  // namespace pinion::host::cli
