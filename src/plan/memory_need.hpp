// Computes the memory that a problem needs, before anything is allocated.
#pragma once

#include <string>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct MemoryNeed {  // bytes; of type double because a requested problem may exceed any machine
  double host = 0;   // arrays with their guard zones, and the reference result in double precision
  // Arrays with their guard zones; 0 for MemorySpace::host. For a device group: the partitions on one GPU.
  double device = 0;
};

// The memory that one variant allocates in addition to the kernel's arrays. `workspace` returns it for a
// tuning.
struct VariantNeed {
  MemorySpace memory_space = MemorySpace::host;
  Function<std::int64_t(const Problem& problem, const int* tuning)> workspace = {};
  const int* tuning = nullptr;
  int copies = 1;        // number of workspaces: ranks on this machine, or partitions on one GPU
  bool on_gpus = false;  // true for MemorySpace::partitioned with the partitions on GPUs
};

MemoryNeed memory_need(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                       std::int64_t guard_bytes);

// Returns an empty text if the problem fits into 90 % of the free host memory and 95 % of the free device
// memory. Otherwise it returns the reason: memory need, free memory, and the largest N that fits. free_device
// is ignored for MemorySpace::host.
std::string why_too_large(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                          std::int64_t guard_bytes, double free_host, double free_device);

// Returns a number of bytes as text with three digits and a binary unit, such as "1.5 GiB".
std::string shown_bytes(double bytes);

}  // namespace sextant
