// Where and with what a run was made.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace sextant {

// One measured ceiling of a device.
struct Ceiling {
  std::string device;  // "cpu", "gpu0"
  std::string name;  // copy, triad, read, write, fp32, fp64, launch, h2d_pinned, d2h_pinned, h2d_pageable, …
  std::int64_t footprint = 0;  // bytes touched; 0 where it has no meaning
  double value = 0;            // bytes/s, FLOP/s, or seconds for launch costs
};

// What of a GPU's ceilings is asked for: its bandwidths, all others, or all.
enum class CeilingPart { all, bandwidth, others };

// Where and with what a run was made; keys are stable names (machine, cpu, gpu0.name, gpu0.driver, cuda,
// compiler.cuda, flags.cuda, git_revision, …).
using Environment = std::map<std::string, std::string>;

// The value of `key`, empty where it is not known.
inline std::string value_of(const Environment& environment, const std::string& key) {
  const auto found = environment.find(key);
  return found == environment.end() ? std::string() : found->second;
}

// What identifies the code of a kernel that was loaded for a session; empty for the build's own.
inline std::string loaded_code(const Environment& environment, const std::string& kernel) {
  const std::string text = value_of(environment, "plugin." + kernel);
  return text.substr(0, text.find(' '));
}

}  // namespace sextant
