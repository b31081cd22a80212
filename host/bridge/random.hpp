// Where blinding values come from. The program uses OsRandom and nothing else; a test that must reproduce a stated
// proof brings its own source, which no configuration can select.
#pragma once

#include <cstdint>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/base/status.hpp>
#include <span>

namespace pinion::host {

class RandomSource {
 public:
  virtual ~RandomSource() = default;
  // Fills `out` with secret random bytes for one plugin call. internal: the source failed. [any]
  virtual Status fill(const Owner& owner, std::span<std::uint8_t> out) = 0;
};

// getrandom(2).
class OsRandom final : public RandomSource {
 public:
  Status fill(const Owner& owner, std::span<std::uint8_t> out) override;
};

}  // namespace pinion::host
