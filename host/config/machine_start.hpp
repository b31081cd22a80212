// The budget at start: what machine.hpp decides, compared with the memory that is really there. A predecessor that
// still holds its memory is waited for as long as it gives memory back; what others keep makes the budget smaller, and
// the decision says so.
#pragma once

#include <functional>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/config/machine.hpp>
#include <stop_token>
#include <string>

namespace pinion::host {

struct StartWait {
  Duration at_most{};                          // in all; 0: do not wait
  Duration settle = std::chrono::seconds(1);   // without more memory for so long, nobody is giving any back …
  Duration ending = std::chrono::seconds(10);  // … unless a process of our own name is ending: unpinning takes time
  std::function<void(const std::string&)> progress;  // one sentence, once it is worth waiting; may be empty
  std::stop_token stop;                              // do with what is there
};

// Never more than is available now. invalid_config: as decide_budget and read_machine_memory; out_of_memory:
// nothing is left for a budget, with who holds it. [main]
Result<BudgetDecision> settle_budget(const MemoryConfig& memory, const StartWait& wait, const Clock& clock,
                                     const std::string& root = "");

}  // namespace pinion::host
