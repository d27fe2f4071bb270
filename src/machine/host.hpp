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
  std::int64_t last_level_cache = 0;        // size in bytes of all last-level caches together
  std::int64_t memory = 0;                  // size in bytes
};

// Reads hwloc. It reports what this process may use, for example the processors of a container, not all
// processors of the machine.
HostInfo find_host();

// Parses the text of a control group's file cpu.max; "200000 100000" means 2 processors. Empty for "max" or
// unreadable text.
std::optional<double> processors_of_quota(const std::string& cpu_max);

// Adds the keys machine, os, cpu.* (cpu.turbo and cpu.smt are on or off), memory.* and load. `root` is a
// prefix of the paths /proc, /sys and /etc, for tests.
void describe_host(Environment* environment, const std::string& root = "");

}  // namespace sextant
