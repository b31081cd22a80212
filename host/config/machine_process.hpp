// What processes hold of the machine's memory, from /proc: this one in detail, the others by name and size. `root` as
// in machine.hpp.
#pragma once

#include <cstdint>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/status.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct ProcessMemory {
  Bytes anonymous;  // RssAnon: heap, slabs
  Bytes shared;     // RssShmem
  Bytes file;       // RssFile: code and mapped files, which the kernel can drop
  Bytes peak;       // VmHWM: the most that was ever resident
  Bytes locked;     // VmLck: by mlock; what a driver locks is not counted here
  Bytes own() const { return anonymous + shared; }
};

// unsupported: /proc cannot be read or is not what Linux documents. [any]
Result<ProcessMemory> read_process_memory(const std::string& root = "");

struct ProcessFact {
  std::uint32_t pid = 0;
  std::string name;
  Bytes resident;
  bool ending = false;  // it has no memory of its own any more: the kernel is taking it back
};

// All but this one, kernel threads left out, largest first. What ends while it is looked at is left out. [any]
std::vector<ProcessFact> other_processes(const std::string& root = "");

// Of this process, as the kernel calls it. [any]
std::string own_name(const std::string& root = "");

}  // namespace pinion::host
