// Spans as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing read: the JSON of the Chrome trace event
// format, complete events ("X") in microseconds. Each span stands on up to three tracks:
//
//   jobs      one track per job, and one per partition of it
//   devices   one track per device: what ran on it, for whomever
//   threads   one track per thread of the host
//
// On one track spans nest by time; what overlaps without nesting goes to a second track of the same name.
// Source: "Trace Event Format" (Google, 2016). Not for live viewing.
#pragma once

#include <pinion/host/report/spans.hpp>
#include <span>
#include <string>

namespace pinion::host {

// `dropped`: how many spans the records lack; told in the trace. [any]
std::string trace_text(std::span<const SpanRecord> records, std::uint64_t dropped);

}  // namespace pinion::host
