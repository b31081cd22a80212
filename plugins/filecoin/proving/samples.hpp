// The real inputs that a proof plugin ships, for "pinion.sample/1"; how it makes others up is its own.
#pragma once

#include <deque>
#include <pinion/plugin/interfaces.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin {

class ShippedSamples : public Samples {
 public:
  std::span<const pinion_sample* const> samples() const noexcept override { return pointers_; }

 protected:
  // `title` and the names and bytes of `parts` and `fields` are static. [main]
  void ship(const char* title, const pinion_kind* kind, std::vector<pinion_part> parts,
            std::vector<pinion_field> fields = {}) {
    Shipped& shipped = shipped_.emplace_back();
    shipped.parts = std::move(parts);
    shipped.fields = std::move(fields);
    shipped.sample = {.size = sizeof(pinion_sample),
                      .part_count = static_cast<std::uint32_t>(shipped.parts.size()),
                      .field_count = static_cast<std::uint32_t>(shipped.fields.size()),
                      .reserved = 0,
                      .title = title,
                      .kind = kind,
                      .parts = shipped.parts.data(),
                      .fields = shipped.fields.data()};
    pointers_.push_back(&shipped.sample);
  }

 private:
  struct Shipped {
    std::vector<pinion_part> parts;
    std::vector<pinion_field> fields;
    pinion_sample sample{};
  };
  std::deque<Shipped> shipped_;  // whose addresses hold
  std::vector<const pinion_sample*> pointers_;
};

}  // namespace pinion::filecoin
