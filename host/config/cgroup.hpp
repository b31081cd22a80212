// Where the control groups of this process stand in the file system: version 1, version 2 or both, also from inside a
// container that sees only part of the tree.
#pragma once

#include <string>
#include <vector>

namespace pinion::host {

struct CgroupFolder {
  bool v2 = false;
  std::string path;  // without `root`
};

// The folders that may limit `controller` ("memory", "cpu"): the process's own group and each group above it. Empty
// when there are no control groups. [any]
std::vector<CgroupFolder> cgroup_folders(const std::string& root, const std::string& controller);

}  // namespace pinion::host
