// NVIDIA's management library, opened at run time and only ever read from: driver, clocks, temperature,
// power.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/environment.hpp"

namespace sextant::nvml {

// Null if the library is there and talks to the driver, else why not.
const char* unavailable();

std::string driver_version();  // "" if not known
int gpu_count();               // 0 if not available

// What NVML says of one GPU; empty where it does not say.
struct Details {
  std::string name;
  std::optional<double> clock, max_clock, memory_clock, max_memory_clock;  // Hz
  std::optional<double> temperature;                                       // degrees Celsius
  std::optional<double> power, power_limit;                                // watts
  std::optional<bool> ecc, persistence;
  std::string compute_mode;  // default, exclusive process, prohibited
  std::optional<int> pcie_generation, pcie_width, max_pcie_generation, max_pcie_width;
  std::optional<int> processes;               // computing on it now, those of this program included
  std::optional<double> utilisation;          // 0 to 1, of the last moments
  std::optional<std::int64_t> memory_used;    // bytes
  std::vector<std::string> throttle_reasons;  // as in GpuState
};

// `bus_id` is the GPU's PCI address as CUDA gives it; empty: `index` counts as NVML does.
Details read(const std::string& bus_id, int index);
// The few of them that change from moment to moment.
GpuState read_state(const std::string& bus_id, int index);

}  // namespace sextant::nvml
