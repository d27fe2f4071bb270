// The machine as it is: processor, memory, GPUs, driver, compilers, power and clock state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/measurement.hpp"

namespace sextant {

struct GpuInfo {
  int index = 0;
  std::string name, uuid;
  int multiprocessors = 0;
  int compute_capability = 0;       // 90 for 9.0
  std::int64_t memory = 0;          // bytes
  std::int64_t l2_cache = 0;        // bytes
  std::int64_t shared_memory_per_block = 0, shared_memory_per_multiprocessor = 0;  // bytes
  int registers_per_multiprocessor = 0, threads_per_multiprocessor = 0, blocks_per_multiprocessor = 0;
  int max_threads_per_block = 0;
};

// The GPUs CUDA sees; empty with *why_not if there is none. Initialises CUDA.
std::vector<GpuInfo> find_gpus(std::string* why_not);

// Everything about this machine and build; touches the GPUs through CUDA and NVML.
Environment read_environment();

// The state of a GPU at this moment, from NVML; empty optionals where it does not say.
struct GpuState {
  std::optional<double> clock;        // Hz, of the multiprocessors
  std::optional<double> max_clock;    // Hz
  std::optional<double> temperature;  // degrees Celsius
  std::optional<double> power;        // watts
  std::vector<std::string> throttle_reasons;  // thermal, power cap, …; idle and application clocks are none
};
GpuState read_gpu_state(int index);

// Theoretical occupancy (0 to 1) of a launch on a GPU: see docs/measuring.md for the formula's source.
double occupancy(const GpuInfo& gpu, int threads_per_block, int registers_per_thread, std::int64_t shared_memory);

}  // namespace sextant
