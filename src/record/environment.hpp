// Describes the machine, software and settings of a run, and the measured ceilings of its devices. Ceilings
// are peak rates that bound the speed of every kernel (roofline model).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace sextant {

// A measured ceiling of a device: a bandwidth, an arithmetic rate, or the cost of a launch.
struct Ceiling {
  std::string device;  // name of the device: "cpu", "gpu0", …
  // name of the measurement: copy, triad, read, write, fp32, fp64, launch, h2d_pinned, d2h_pinned,
  // h2d_pageable, …
  std::string name;
  std::int64_t footprint = 0;  // bytes that the measurement accesses; 0 if not applicable
  double value = 0;            // in bytes/s, FLOP/s, or seconds for launch costs
};

// Which ceilings of a GPU to measure: all, only its bandwidths, or all except its bandwidths.
enum class CeilingPart { all, bandwidth, others };

// Describes the machine, software and settings of a run. The keys are machine, cpu, gpu0.name, gpu0.driver,
// cuda, compiler.cuda, flags.cuda, git_revision, …
using Environment = std::map<std::string, std::string>;

// Returns the value of `key`, or "" if the key is missing.
inline std::string value_of(const Environment& environment, const std::string& key) {
  const auto found = environment.find(key);
  return found == environment.end() ? std::string() : found->second;
}

// Returns an identifier of the code of a user kernel, or "" for a kernel of this project.
inline std::string loaded_code(const Environment& environment, const std::string& kernel) {
  const std::string text = value_of(environment, "plugin." + kernel);
  return text.substr(0, text.find(' '));
}

}  // namespace sextant
