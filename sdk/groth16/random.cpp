#include "random.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace pinion::groth16 {

void system_random(std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = ::getrandom(out.data(), out.size(), 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

bls::Fr random_scalar(const RandomBytes& random) {
  bls::Bytes32 bytes;
  for (;;) {
    random(bytes);
    bytes[31] &= 0x7f;
    if (const auto scalar = bls::Fr::from_bytes(bytes)) return *scalar;
  }
}

}  // namespace pinion::groth16
