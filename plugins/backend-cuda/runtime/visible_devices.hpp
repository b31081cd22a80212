// CUDA_VISIBLE_DEVICES, read as the driver reads it, so that a machine that shows no device can be explained. The
// driver itself applies it; this only finds the words.
//   a list of ordinals "0,2", of UUIDs "GPU-…" or MIG instances "MIG-…" (beginnings will do where they are unique); the
//   first entry that names nothing hides itself and all behind it; "" and "-1" hide every device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pinion::cuda {

struct VisibleEntry {
  enum class Kind { ordinal, uuid, mig, invalid };
  Kind kind;
  std::string text;
};
// Entries up to the first that cannot name a device (that one included, as invalid). [any]
std::vector<VisibleEntry> parse_visible_devices(std::string_view value);

// A sentence on why no device is visible, as far as the variable alone explains it; "" when it is unset (null) or does
// not explain it. [any]
std::string explain_visible_devices(const char* value);

}  // namespace pinion::cuda
