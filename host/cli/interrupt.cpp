#include <pthread.h>
#include <unistd.h>

#include <pinion/host/cli/exit.hpp>
#include <pinion/host/cli/interrupt.hpp>

namespace pinion::host::cli {

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiter_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const timespec tick{0, 100'000'000};
      if (sigtimedwait(&signals_, nullptr, &tick) < 0) continue;
      if (source_.stop_requested()) _exit(static_cast<int>(Exit::interrupted));
      source_.request_stop();
    }
  });
}

Interrupt::~Interrupt() {
  waiter_ = {};  // ask and join
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace pinion::host::cli
