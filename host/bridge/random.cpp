#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <pinion/host/bridge/random.hpp>

namespace pinion::host {

Status OsRandom::fill(const Owner&, std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = ::getrandom(out.data(), out.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Status(Code::internal, fmt::format("getrandom: {}", std::strerror(errno)));
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace pinion::host
