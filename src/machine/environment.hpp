// Describes the machine: processor, memory, GPUs, driver, compilers, and the state of power and clocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

struct GpuInfo {
  int index = 0;
  std::string name, uuid, bus_id;  // bus_id is the PCI address, such as 0000:17:00.0
  int multiprocessors = 0;
  // Number of multiprocessors of the whole GPU, if SEXTANT_MULTIPROCESSORS restricts it; else 0.
  int whole_multiprocessors = 0;
  int compute_capability = 0;  // 10 * major + minor: 90 for compute capability 9.0
  std::int64_t memory = 0;     // memory size in bytes
  std::int64_t l2_cache = 0;   // size in bytes
  std::int64_t shared_memory_per_block = 0, shared_memory_per_multiprocessor = 0;  // maximum sizes in bytes
  int registers_per_multiprocessor = 0, threads_per_multiprocessor = 0, blocks_per_multiprocessor = 0;
  int max_threads_per_block = 0;
};

// Initializes CUDA and returns the GPUs that it sees. If there is none, *why_not gets the reason.
std::vector<GpuInfo> find_gpus(std::string* why_not);

// Describes this machine and build. Queries the GPUs through CUDA, CUPTI and NVML. Numbers are in bytes, Hz,
// watts and degrees Celsius. A key is missing if its value is unknown. Keys:
//   machine os os.kernel virtual load version git_revision build_type sanitizers
//   cpu and cpu.{level,sockets,cores,threads,numa_nodes,l1_cache,l2_cache,last_level_cache,usable,limit,
//     governor,turbo,smt,clock,max_clock}; memory and memory.{available,limit}
//     usable: processors in the affinity mask; limit: the control group's quota, in processors;
//     last_level_cache: sum of all last-level caches
//   cpu.energy and gpu<i>.energy ("ok", or why the energy of calls cannot be known)
//   compiler.<model> and flags.<model>, or left_out.<model> with the reason; left_out.library.<name>
//   openmp.{threads,library} openacc.gpus target.gpus openblas{,.threads} fftw{,.threads} cublas cufft
//   env.<name> of the variables that affect measurements
//   cuda (version of this build), cuda.driver (newest version that the driver supports),
//     cuda.code ("ok", or why kernels cannot run), activity ("ok", or why CUPTI has no activity records)
//   gpus (number that CUDA sees), gpus.missing (why there is none)
//   driver driver.gpus driver.gpu nvml.missing
//   gpu<i>.{name,uuid,bus_id,compute_capability,multiprocessors,whole_multiprocessors,memory,l2_cache,peers,
//     driver,clock,max_clock,memory_clock,max_memory_clock,temperature,power,power_limit,ecc,persistence,
//     compute_mode,pcie_generation,pcie_width,max_pcie_generation,max_pcie_width,processes,utilisation,
//     memory_used,throttle_reasons}
Environment read_environment();

// The current state of a GPU, from NVML. Values that NVML does not report are empty.
struct GpuState {
  std::optional<double> clock;        // clock of the multiprocessors in Hz
  std::optional<double> max_clock;    // highest clock in Hz
  std::optional<double> temperature;  // in degrees Celsius
  std::optional<double> power;        // in watts
  // Reasons why the GPU lowers its clocks, such as thermal or power limits. Idle and application clocks are
  // left out.
  std::vector<std::string> throttle_reasons;
};
GpuState read_gpu_state(int index);

// Returns the theoretical occupancy (0 to 1) of a kernel launch. docs/explanation/measuring.md names the
// source of the formula.
double occupancy(const GpuInfo& gpu, int threads_per_block, int registers_per_thread,
                 std::int64_t shared_memory);

}  // namespace sextant
