// SIGINT, SIGTERM and SIGHUP (unless ignored: nohup) as a stop token: the first asks. One wish may come as several
// signals: timeout(1) sends to the process and then to its group, a terminal's to the group come again from a parent.
// So only one that comes two seconds after the first or later ends the process at once. Made before any other thread,
// so that all of them leave these signals to it.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace pinion::host::cli {

class Interrupt {
 public:
  Interrupt();  // [main]
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Stop is requested at the first signal. [any]
  std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t signals_{};
  sigset_t before_{};
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace pinion::host::cli
