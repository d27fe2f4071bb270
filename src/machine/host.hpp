// The host as reported by Linux and hwloc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/environment.hpp"

namespace sextant {

struct HostInfo {
  std::string cpu;  // the processor's model
  int sockets = 0, cores = 0, threads = 0, numa_nodes = 0;
  std::int64_t l1_cache = 0, l2_cache = 0;  // in bytes, of one data or unified cache
  std::int64_t last_level_cache = 0;        // in bytes, sum over all last-level caches
  std::int64_t memory = 0;                  // bytes
};

// Reads hwloc, which reports what this process may use (e.g. a container's processors, not all of the
// machine's).
HostInfo find_host();

// Parses a control group's cpu.max ("200000 100000" means 2 processors); empty for "max" or unreadable text.
std::optional<double> processors_of_quota(const std::string& cpu_max);

// Adds machine, os, cpu.* (cpu.turbo and cpu.smt are on or off), memory.* and load. `root` is a prefix of
// /proc, /sys and /etc, for tests.
void describe_host(Environment* environment, const std::string& root = "");

}  // namespace sextant
