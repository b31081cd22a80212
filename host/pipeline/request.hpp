// What goes in and what comes out: values, with every byte they need. Not for what happens between; see job.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/plugins/proof.hpp>
#include <pinion/host/report/stages.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// One input file, or one field of a message.
struct RequestPart {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

// A fact stated beside the parts: a number, or bytes.
struct RequestField {
  std::string key;
  std::uint64_t number = 0;
  std::vector<std::uint8_t> bytes;  // empty: `number` counts
};

struct ProveRequest {
  std::string id;      // of the job; "": one is made up
  std::string family;  // which proof plugin's business it is
  std::vector<RequestPart> parts;
  std::vector<RequestField> fields;
  std::string params_dir;                  // "": [params] dir
  std::uint32_t priority = 0;              // PINION_PRIORITY_; 0: the kind's own
  std::optional<std::uint32_t> partition;  // prove only this one; implies parts_only
  bool parts_only = false;                 // the parts, not the proof they make together
  bool allow_test_keys = false;            // keys whose digest is not the published one
  bool verify_digests = true;              // of key files, as they are loaded; the configuration's affair
  bool charged = false;                    // whoever received the bytes has charged them already
};

// How long each stage of a partition took, waiting for slots and memory told apart from work.
struct StageTimes {
  std::chrono::nanoseconds wait{}, claim{}, synthesize{}, start{}, finish{}, verify{};
};

struct PartResult {
  std::uint32_t partition = 0;
  std::vector<std::uint8_t> bytes;
  std::string backend;  // plugin id
  std::string device;   // "device 0 (16 threads, AVX2)"
  std::string format;   // job format
  std::uint32_t attempts = 0;
  StageTimes times;  // of the attempt that succeeded
};

// A proof that was verified before anybody saw it.
struct ProveResult {
  std::string job;
  std::string kind;
  std::string title;                   // of the kind, for people
  std::vector<std::uint8_t> proof;     // empty with parts_only
  std::string sha256;                  // of the proof, or of all parts in order
  std::vector<PartResult> parts;       // those asked for, in order of partitions
  std::uint32_t partitions = 0;        // of the whole proof
  std::chrono::nanoseconds elapsed{};  // from submit to here
  std::vector<Stage> stages;           // the table of where the time went
  std::vector<std::string> plugins;    // "backend-x 1.2.3", each that took part
  bool degraded = false;               // made by a backend that is not the first of the configuration
};

// What is going on in a job right now.
struct ProveProgress {
  std::string job;
  std::optional<std::uint32_t> partition;
  std::uint32_t partitions_done = 0;
  std::uint32_t partitions = 0;  // 0: not known yet
  std::string stage;             // "open", "claim", "synthesize", "start", "finish", "verify", "assemble"
  std::uint64_t done = 0;        // in units of the plugin's choice; 0 of 0: it does not say
  std::uint64_t total = 0;
};
// Called from workers, several at once, several times a second; must be quick and must not throw. [any]
using ProgressFn = std::function<void(const ProveProgress&)>;

}  // namespace pinion::host
