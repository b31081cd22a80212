// Faults on request, for drills and tests: once, at one stage of the first device's next job, the device does what
// broken hardware does. The options `fault` and `fault_stage` ask for it.
#pragma once

#include <string>
#include <string_view>

namespace pinion::backend_cuda {

struct Fault {
  enum class Kind { none, out_of_memory, illegal_address, device_lost };
  enum class Stage { load, start, finish };
  static constexpr const char* kinds = "none|out-of-memory|illegal-address|device-lost";
  static constexpr const char* stages = "load|start|finish";

  // Of the texts above; the host has checked them.
  static Fault of(std::string_view kind, std::string_view stage) {
    Fault out;
    if (kind == "out-of-memory") out.kind = Kind::out_of_memory;
    if (kind == "illegal-address") out.kind = Kind::illegal_address;
    if (kind == "device-lost") out.kind = Kind::device_lost;
    out.stage = stage == "load" ? Stage::load : stage == "start" ? Stage::start : Stage::finish;
    return out;
  }

  Kind kind = Kind::none;
  Stage stage = Stage::start;
};

}  // namespace pinion::backend_cuda
