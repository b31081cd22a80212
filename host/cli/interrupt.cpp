#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <pinion/host/cli/exit.hpp>
#include <pinion/host/cli/interrupt.hpp>

namespace pinion::host::cli {
namespace {

constexpr std::chrono::seconds same_wish{2};  // what comes within is the first signal's echo, or impatience

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  struct sigaction hangup {};
  if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiter_ = std::jthread([this](const std::stop_token& stop) {
    std::chrono::steady_clock::time_point first;
    while (!stop.stop_requested()) {
      const timespec tick{0, 100'000'000};
      if (sigtimedwait(&signals_, nullptr, &tick) < 0) continue;
      const auto now = std::chrono::steady_clock::now();
      if (!source_.stop_requested()) {
        first = now;
        source_.request_stop();
      } else if (now - first >= same_wish) {
        _exit(static_cast<int>(Exit::interrupted));
      }
    }
  });
}

Interrupt::~Interrupt() {
  waiter_ = {};  // ask and join
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace pinion::host::cli
