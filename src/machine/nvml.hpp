// Reads the state of GPUs (driver, clocks, temperature, power) from NVIDIA's management library NVML. The
// library is opened at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/environment.hpp"

namespace sextant::nvml {

// Returns null if NVML can be used, or else the reason why not.
const char* unavailable();

std::string driver_version();  // "" if the version is unknown
int gpu_count();               // 0 if NVML is not available

// The values that NVML reports for one GPU. A value that it does not report is empty.
struct Details {
  std::string name;
  std::optional<double> clock, max_clock, memory_clock, max_memory_clock;  // clock rates in Hz
  std::optional<double> temperature;                                       // in degrees Celsius
  std::optional<double> power, power_limit;                                // in watts
  std::optional<bool> ecc, persistence;
  std::string compute_mode;  // "default", "exclusive process" or "prohibited"
  std::optional<int> pcie_generation, pcie_width, max_pcie_generation, max_pcie_width;
  std::optional<int> processes;             // number of compute processes on the GPU, including this program
  std::optional<double> utilisation;        // from 0 to 1, over the driver's last sample period
  std::optional<std::int64_t> memory_used;  // in bytes
  std::vector<std::string> throttle_reasons;  // like GpuState::throttle_reasons
  bool energy = false;                        // true if the driver counts energy
};

// Reads all values of a GPU. `bus_id` is its PCI address as CUDA reports it. If that is empty, `index`
// selects the GPU in NVML's order.
Details read(const std::string& bus_id, int index);
// Reads only the values that change quickly, such as clocks and temperature.
GpuState read_state(const std::string& bus_id, int index);
// Returns the joules since the driver was loaded. Empty if the driver does not count them.
std::optional<double> read_energy(const std::string& bus_id, int index);
// Returns the number of compute processes on the GPU that belong neither to this process nor to its relatives
// (its parent, and other children of its parent). Empty if NVML does not report them, or only by numbers of
// another container.
std::optional<int> other_processes(const std::string& bus_id, int index);
// Returns the fraction of the driver's last sample period, up to a second, in which the GPU worked.
std::optional<double> read_utilisation(const std::string& bus_id, int index);

// Locks the clock of a GPU's multiprocessors at `megahertz`, or at its base clock for 0. Another program, or
// the end of this one, does not unlock it. Returns why that failed, or an empty text.
std::string lock_clock(const std::string& bus_id, int index, unsigned megahertz);
// Unlocks the clock. Returns why that failed, or an empty text.
std::string release_clock(const std::string& bus_id, int index);

}  // namespace sextant::nvml
