// NVIDIA's management library (NVML), opened at run time and used only for reading: driver, clocks,
// temperature, power.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/environment.hpp"

namespace sextant::nvml {

// Returns null if the library is present and can talk to the driver, else why not.
const char* unavailable();

std::string driver_version();  // "" if unknown
int gpu_count();               // 0 if not available

// The values that NVML reports for one GPU; values that it does not report are empty.
struct Details {
  std::string name;
  std::optional<double> clock, max_clock, memory_clock, max_memory_clock;  // Hz
  std::optional<double> temperature;                                       // degrees Celsius
  std::optional<double> power, power_limit;                                // watts
  std::optional<bool> ecc, persistence;
  std::string compute_mode;  // default, exclusive process, prohibited
  std::optional<int> pcie_generation, pcie_width, max_pcie_generation, max_pcie_width;
  std::optional<int> processes;               // compute processes on the GPU, including this program
  std::optional<double> utilisation;          // 0 to 1, over the driver's last sample period
  std::optional<std::int64_t> memory_used;    // bytes
  std::vector<std::string> throttle_reasons;  // as in GpuState
};

// `bus_id` is the GPU's PCI address as CUDA reports it. If it is empty, `index` counts as NVML does.
Details read(const std::string& bus_id, int index);
// Reads only the values that change quickly.
GpuState read_state(const std::string& bus_id, int index);

}  // namespace sextant::nvml
