// The host as Linux and hwloc describe it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/environment.hpp"

namespace sextant {

struct HostInfo {
  std::string cpu;  // the processor's model
  int sockets = 0, cores = 0, threads = 0, numa_nodes = 0;
  std::int64_t l1_cache = 0, l2_cache = 0;  // bytes, of one data or unified cache
  std::int64_t last_level_cache = 0;        // bytes, of all last-level caches together
  std::int64_t memory = 0;                  // bytes
};

// From hwloc, which sees what this process may use (a container's processors, not the machine's).
HostInfo find_host();

// A control group's cpu.max ("200000 100000": 2 processors); empty for "max" and what cannot be read.
std::optional<double> processors_of_quota(const std::string& cpu_max);

// Adds machine, os, cpu.* (cpu.turbo and cpu.smt: on or off), memory.* and load; `root` is put before /proc,
// /sys and /etc.
void describe_host(Environment* environment, const std::string& root = "");

}  // namespace sextant
