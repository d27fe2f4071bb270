#include "base/control_groups.hpp"

#include <fstream>

namespace sextant {
namespace {

// Finds this process's control group in /proc/self/cgroup (cgroups(7)). A line "0::/user/job" belongs to
// cgroup version 2, "4:cpu,memory:/user/job" to version 1.
std::string group_of(const std::string& root, const std::string& controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers == ",,"
            ? controller.empty()
            : !controller.empty() && controllers.find("," + controller + ",") != std::string::npos)
      return line.substr(second + 1);
  }
  return "/";
}

}  // namespace

std::vector<std::string> control_groups(const std::string& root, const std::string& controller) {
  const std::string base = root + "/sys/fs/cgroup" + (controller.empty() ? "" : "/" + controller);
  std::vector<std::string> folders;
  for (std::string group = group_of(root, controller); group.size() > 1;) {
    folders.push_back(base + group);
    const std::size_t slash = group.rfind('/');
    group = slash == std::string::npos ? "" : group.substr(0, slash);
  }
  folders.push_back(base);
  return folders;
}

}  // namespace sextant
