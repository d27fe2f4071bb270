// Describes a run (machine, software, settings) and the measured ceilings of its devices, which bound what a
// kernel can reach (roofline model).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace sextant {

// A measured ceiling of a device: a bandwidth, an arithmetic rate, or the cost of a launch.
struct Ceiling {
  std::string device;  // "cpu", "gpu0"
  // copy, triad, read, write, fp32, fp64, launch, h2d_pinned, d2h_pinned, h2d_pageable, …
  std::string name;
  std::int64_t footprint = 0;  // Bytes touched; 0 if it does not apply.
  double value = 0;            // bytes/s, FLOP/s, or seconds for launch costs.
};

// Which of a GPU's ceilings to measure: all, only its bandwidths, or all but its bandwidths.
enum class CeilingPart { all, bandwidth, others };

// The machine, software and settings of a run, by key. The keys are stable names: machine, cpu, gpu0.name,
// gpu0.driver, cuda, compiler.cuda, flags.cuda, git_revision, …
using Environment = std::map<std::string, std::string>;

// Returns the value of `key`, or an empty text if the environment lacks it.
inline std::string value_of(const Environment& environment, const std::string& key) {
  const auto found = environment.find(key);
  return found == environment.end() ? std::string() : found->second;
}

// Returns the identifier of the code of a kernel that was loaded for a session. It is empty for a built-in
// kernel.
inline std::string loaded_code(const Environment& environment, const std::string& kernel) {
  const std::string text = value_of(environment, "plugin." + kernel);
  return text.substr(0, text.find(' '));
}

}  // namespace sextant
