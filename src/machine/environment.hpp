// The machine as it is: processor, memory, GPUs, driver, compilers, power and clock state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

struct GpuInfo {
  int index = 0;
  std::string name, uuid, bus_id;  // bus_id: PCI address, as in 0000:17:00.0
  int multiprocessors = 0;
  int whole_multiprocessors =
      0;                       // of the GPU that this is a part of (SEXTANT_MULTIPROCESSORS); 0: it is whole
  int compute_capability = 0;  // 90 for 9.0
  std::int64_t memory = 0;     // bytes
  std::int64_t l2_cache = 0;   // bytes
  std::int64_t shared_memory_per_block = 0, shared_memory_per_multiprocessor = 0;  // bytes
  int registers_per_multiprocessor = 0, threads_per_multiprocessor = 0, blocks_per_multiprocessor = 0;
  int max_threads_per_block = 0;
};

// The GPUs CUDA sees; empty with *why_not if there is none. Initialises CUDA.
std::vector<GpuInfo> find_gpus(std::string* why_not);

// Everything about this machine and build; touches the GPUs through CUDA, CUPTI and NVML. Numbers are in
// bytes, Hz, watts and degrees Celsius; a key is missing where its value is not known. Keys:
//   machine os os.kernel virtual load version git_revision build_type sanitizers
//   cpu and
//   cpu.{sockets,cores,threads,numa_nodes,l1_cache,l2_cache,last_level_cache,usable,limit,governor,clock,
//     max_clock}; memory and memory.{available,limit}. usable: processors in the affinity mask; limit: the
//     control group's quota in processors; last_level_cache: all of them together
//   compiler.<model> flags.<model>, or left_out.<model> with the reason; left_out.library.<name>
//   openmp.{threads,library} openacc.gpus target.gpus openblas{,.threads} fftw{,.threads} cublas cufft,
//   env.<name> of the variables that matter cuda (this build's), cuda.driver (the newest the driver serves),
//   cuda.code ("ok" or why kernels cannot run), activity ("ok" or why there are no records) gpus (how many
//   CUDA sees), gpus.missing (why none), driver, driver.gpus, driver.gpu, nvml.missing
//   gpu<i>.{name,uuid,bus_id,compute_capability,multiprocessors,whole_multiprocessors,memory,l2_cache,peers,driver,clock,max_clock,memory_clock,
//     max_memory_clock,temperature,power,power_limit,ecc,persistence,compute_mode,pcie_generation,pcie_width,
//     max_pcie_generation,max_pcie_width,processes,utilisation,memory_used,throttle_reasons}
Environment read_environment();

// The state of a GPU at this moment, from NVML; empty optionals where it does not say.
struct GpuState {
  std::optional<double> clock;                // Hz, of the multiprocessors
  std::optional<double> max_clock;            // Hz
  std::optional<double> temperature;          // degrees Celsius
  std::optional<double> power;                // watts
  std::vector<std::string> throttle_reasons;  // thermal, power cap, …; idle and application clocks are none
};
GpuState read_gpu_state(int index);

// Theoretical occupancy (0 to 1) of a launch on a GPU: see docs/explanation/measuring.md for the formula's
// source.
double occupancy(const GpuInfo& gpu, int threads_per_block, int registers_per_thread,
                 std::int64_t shared_memory);

}  // namespace sextant
