// Runs a gadget through both models and compares rows, variables, values and results with prims/gadgets.json.
#pragma once

#include <functional>
#include <map>
#include <pinion/circuit/num.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <string>
#include <vector>

namespace pinion::test {

// One set of operands.
struct GadgetCase {
  std::vector<circuit::Fr> nums;
  std::vector<bool> bits;
  std::vector<std::uint64_t> ints;
  struct Level {
    std::uint8_t index;
    std::vector<circuit::Fr> siblings;
  };
  std::vector<Level> path;
};

struct GadgetResult {
  std::vector<circuit::Num> nums;
  std::vector<circuit::Boolean> bits;
};

// A gadget with the allocations that prepare its operands, for both constraint systems.
struct Gadget {
  std::function<GadgetResult(circuit::ShapeRecorder&, const GadgetCase&)> record;
  std::function<GadgetResult(circuit::WitnessWriter&, const GadgetCase&)> write;
};

// By name in gadgets.json. F: GadgetResult(auto& cs, const GadgetCase&).
class Gadgets {
 public:
  template <class F>
  void add(const std::string& name, F f) {
    gadgets_[name] = {[f](circuit::ShapeRecorder& cs, const GadgetCase& c) { return f(cs, c); },
                      [f](circuit::WitnessWriter& cs, const GadgetCase& c) { return f(cs, c); }};
  }
  // Checks each; one that the file lacks is a failure.
  void check_all() const;

 private:
  std::map<std::string, Gadget> gadgets_;
};

circuit::Fr fr_from_hex(const std::string& hex);

}  // namespace pinion::test
