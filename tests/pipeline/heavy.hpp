// Jobs that fill a small budget, and what ends them when they wait for ever.
#pragma once

#include "host.hpp"

namespace toy {

// A megabyte of request, and a claim of about as much: in 3 MiB two of them could hold everything and wait for each
// other.
inline ProveRequest heavy(std::uint64_t count = 100000, std::size_t ballast = 700000, std::uint64_t pause = 0) {
  ProveRequest out = request(2, count);
  out.fields.push_back({"pause", pause, {}});
  out.parts.push_back({"ballast", std::vector<std::uint8_t>(ballast)});
  return out;
}
inline std::string config_of(const std::string& budget, const std::string& backends,
                             const std::string& allocator = "alloc-heap", int syntheses = 4) {
  return "[memory]\nbudget = \"" + budget +
         "\"\nsafety_margin = \"1MiB\"\n[plugins]\nproofs = [\"toy-proof\"]\nallocator = \"" + allocator + "\"\n" +
         backends + "\n[pipeline]\nmax_synthesis = " + std::to_string(syntheses) + "\n";
}

// Ends what hangs, so that a test fails and does not hang too.
struct Watchdog {
  explicit Watchdog(std::stop_source& late)
      : thread([late](std::stop_token done) mutable {
          for (int i = 0; i < 4000 && !done.stop_requested(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          late.request_stop();
        }) {}
  std::jthread thread;
};

}  // namespace toy
