// The host memory that this process can still allocate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace sextant {

// Returns the bytes that are available according to Linux, or less if an enclosing control group allows less.
// Page cache counts as free because it is reclaimable. Empty if neither is known. `root` is a prefix of the
// paths /proc and /sys, for tests.
std::optional<std::size_t> free_host_memory(const std::string& root = "");

// Returns the bytes of address space that this process may still use (`ulimit -v`). Empty if there is no
// limit.
std::optional<std::size_t> free_addresses();

}  // namespace sextant
