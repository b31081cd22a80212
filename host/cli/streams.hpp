// The three standard streams before anything else is opened.
#pragma once

namespace pinion::host::cli {

// A stream that the caller closed gets a descriptor that cannot be used in its direction: else the next file opened, a
// parameter file for instance, would get its number, and warnings would be written into it. A reader that goes away is
// an error to the writer (Console::something_lost), not the end of a proof of hours. [main], before any thread
void secure_streams() noexcept;

}  // namespace pinion::host::cli
