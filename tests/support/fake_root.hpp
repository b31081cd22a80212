// A machine made of files: a folder that stands before every path under /proc and /sys. To begin with 64 GiB of memory,
// 32 available, 16 CPUs of which nine are allowed, no control groups.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace pinion::test {

class FakeRoot {
 public:
  FakeRoot() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("pinion-machine-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
    file("/proc/meminfo", "MemTotal:       67108864 kB\nMemFree: 1 kB\nMemAvailable:   33554432 kB\n");
    file("/proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-7,10\n");
    file("/sys/devices/system/cpu/online", "0-15\n");
  }
  ~FakeRoot() { std::filesystem::remove_all(path_); }
  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;

  FakeRoot& file(const std::string& name, const std::string& text) {
    const auto full = path_ / name.substr(1);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
    return *this;
  }
  FakeRoot& v2_mount(const std::string& top = "/") {
    return file("/proc/self/mountinfo", "24 1 0:22 / /proc rw - proc proc rw\n30 1 0:26 " + top +
                                            " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace pinion::test
