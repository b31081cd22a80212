#include "cgroup.hpp"

#include <algorithm>
#include <optional>
#include <pinion/host/base/proc_text.hpp>
#include <sstream>
#include <string_view>

namespace pinion::host {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

bool has_word(const std::string& list, const std::string& word) {
  const std::vector<std::string> words = split(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Where a hierarchy is mounted, and which of its groups is seen there as the top.
struct Mount {
  std::string point;
  std::string top = "/";
};

// proc(5), mountinfo: "36 35 98:0 /top /point options … - type source super-options".
std::optional<Mount> find_mount(const std::string& root, bool v2, const std::string& controller) {
  const auto text = read_small_file(root + "/proc/self/mountinfo");
  if (!text) {
    if (v2) return Mount{"/sys/fs/cgroup", "/"};
    return Mount{"/sys/fs/cgroup/" + controller, "/"};
  }
  for (const std::string& line : split(*text, '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> left = split(line.substr(0, dash), ' ');
    const std::vector<std::string> right = split(line.substr(dash + 3), ' ');
    if (left.size() < 5 || right.size() < 3) continue;
    const bool matches = v2 ? right[0] == "cgroup2" : right[0] == "cgroup" && has_word(right[2], controller);
    if (matches) return Mount{left[4], left[3]};
  }
  return std::nullopt;
}

// The group's path below the mount point: without the part that the mount hides. A group outside of what is mounted
// (it shows as "/..") is limited by what is above it, which is all we can read.
std::string below(const Mount& mount, std::string group) {
  if (mount.top != "/" && (group == mount.top || group.starts_with(mount.top + "/"))) group.erase(0, mount.top.size());
  if (group == "/" || group == "/.." || group.find("/../") != std::string::npos || group.starts_with("/..")) return "";
  return group;
}

void add_path(std::vector<CgroupFolder>& folders, bool v2, const Mount& mount, const std::string& group) {
  std::string rest = below(mount, group);
  while (!rest.empty()) {
    folders.push_back({v2, mount.point + rest});
    rest.erase(rest.find_last_of('/') == std::string::npos ? 0 : rest.find_last_of('/'));
  }
  folders.push_back({v2, mount.point});
}

}  // namespace

std::vector<CgroupFolder> cgroup_folders(const std::string& root, const std::string& controller) {
  std::vector<CgroupFolder> folders;
  const auto text = read_small_file(root + "/proc/self/cgroup");
  if (!text) return folders;
  // "ID:controllers:/group"; version 2 has id 0 and names no controllers.
  for (const std::string& line : split(*text, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool v2 = line.starts_with("0:") && controllers.empty();
    if (!v2 && !has_word(controllers, controller)) continue;
    if (const auto mount = find_mount(root, v2, controller)) add_path(folders, v2, *mount, line.substr(second + 1));
  }
  return folders;
}

}  // namespace pinion::host
