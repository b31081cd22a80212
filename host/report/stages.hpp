// The table of stages that `demo` and `prove` end with: where the time went, summed from spans.
#pragma once

#include <pinion/host/report/spans.hpp>
#include <span>
#include <string>
#include <vector>

namespace pinion::host {

struct Stage {
  std::string name;
  unsigned depth = 0;  // 0: a root span
  std::uint64_t count = 0;
  std::chrono::nanoseconds total{};
  std::chrono::nanoseconds longest{};
  std::chrono::nanoseconds covered{};  // while at least one of them ran: no more than the whole took
  Bytes bytes;
};

// One row per name and chain of parents' names, parents before children, siblings by their first begin. A parent that
// is no longer recorded makes its children roots. [any]
std::vector<Stage> stage_table(std::span<const SpanRecord> records);

// As aligned text, one line per stage, children indented; ends with a line end. [any]
std::string stage_text(std::span<const Stage> stages);

// One line per stage for the log, with its path of parents: "prove/partition/start: 2 in 1.20 s, longest 700 ms, 64 MiB
// at 0.05 GB/s". [any]
std::vector<std::string> stage_lines(std::span<const Stage> stages);

}  // namespace pinion::host
