// Describes the host, as reported by Linux and hwloc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/environment.hpp"

namespace sextant {

struct HostInfo {
  std::string cpu;  // name of the processor model
  int sockets = 0, cores = 0, threads = 0, numa_nodes = 0;
  std::int64_t l1_cache = 0, l2_cache = 0;  // size in bytes of one data or unified cache
  std::int64_t last_level_cache = 0;        // sum of all last-level caches in bytes
  std::int64_t memory = 0;                  // size in bytes
};

// Queries hwloc for the processors that this process may use. A container, for example, may have fewer than
// the machine.
HostInfo find_host();

// Parses a control group's CPU quota: "200000 100000" (microseconds per period) means 2 processors. Empty for
// "max" or unreadable text.
std::optional<double> processors_of_quota(const std::string& cpu_max);

// Adds the keys machine, os, cpu.*, memory.* and load. `root` is a prefix for /proc, /sys and /etc, which
// tests set.
void describe_host(Environment* environment, const std::string& root = "");

}  // namespace sextant
