// What this process may still take of the host's memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace sextant {

// Bytes that Linux has available, or less where a control group around this process allows less; page cache
// counts as free, since it gives way. Empty where neither is known. `root` stands before /proc and /sys, for
// tests.
std::optional<std::size_t> free_host_memory(const std::string& root = "");

// Bytes of addresses that this process may still take (`ulimit -v`); empty where nothing limits them.
std::optional<std::size_t> free_addresses();

}  // namespace sextant
