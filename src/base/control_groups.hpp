// The control groups of Linux that this process is in, as their files say.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// The folders of this process's own group and of those around it, the innermost first. Of version 2 of
// control groups without a `controller`, else that controller's ("memory") of version 1. `root` stands before
// /proc and /sys, for tests. Folders that cannot be seen, as in a container, are among them.
std::vector<std::string> control_groups(const std::string& root, const std::string& controller = "");

}  // namespace sextant
