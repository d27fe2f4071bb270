// Finds the Linux control groups (cgroups) that contain this process.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// Returns the folders of this process's group and its ancestors, innermost first. An empty `controller`
// selects cgroup version 2; a name such as "memory" selects version 1. `root` is a prefix for /proc and /sys,
// which tests set. Some of the folders may not be visible inside a container.
std::vector<std::string> control_groups(const std::string& root, const std::string& controller = "");

}  // namespace sextant
