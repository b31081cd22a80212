// How figures and verdicts are spelled, the same in the terminal, in HTML and on plots.
#pragma once

#include <pinion/host/ab/analysis.hpp>

namespace pinion::host::ab {

std::string time_text(double seconds);                 // "812.3 ms"
std::string share_text(double share);                  // "-2.7 %", always signed; from ten times on "x12"
std::string interval_text(const Interval& of_shares);  // "[-4.1, +1.2]", in percent; the same
std::string rate_text(double bytes_per_second);        // "12.3 GB/s", decimal as in data sheets
std::string p_text(double p);                          // "0.004", "< 0.001"
// "31.2 % [30.9, 31.5]", "not reported"
std::string busy_text(const std::optional<Summary>& shares);
std::string_view load_text(const JobFindings& found);  // "idle", "every core busy", "pool made anew"

// What may be said of a total, whole sentences: the verdict; when none, what would have been seen and what it takes.
std::string conclusion(const JobFindings& found);

// "pinned": its device says so; "stated pinned": only its allocator does; "pageable, stated pinned": the device sees
// something else.
std::string kind_label(const BufferSeen& buffer);
// What a reader of these labels must know: devices that do not say what they see, and those to which it is all the
// same. Whole sentences.
std::vector<std::string> label_notes(const Record& record);
// The labels of the memory a job was lent: "pageable and pinned"; "none".
std::string kinds_text(const std::vector<BufferSeen>& buffers);
// The same of a job on a side; "unseen" when nobody looked.
std::string lent_kinds(const Record& record, std::size_t side, std::size_t job);

// What the table of stages does not say by itself.
inline constexpr const char* stages_note =
    "Stages are summed over partitions, which overlap. A stage that waits for a device shows what was left to wait "
    "for: what the device did during an earlier stage is in that one.";

// Stages worth a line: at least half a percent of the total, on either side.
std::vector<const Comparison*> main_stages(const JobFindings& found);

// Bytes per second of a stage on a side; nothing when nobody counted.
std::optional<double> stage_rate(const Comparison& stage, std::size_t side);

}  // namespace pinion::host::ab
