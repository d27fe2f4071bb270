// Computes the memory that a problem needs, before anything is allocated.
#pragma once

#include <string>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct MemoryNeed {  // in bytes; floating-point, because a requested problem may be far too large
  double host = 0;   // arrays with their guard zones, and the reference result in double precision
  // Device arrays with their guard zones; 0 for MemorySpace::host. For several GPUs: the partitions on one
  // GPU.
  double device = 0;
};

// The memory that a variant allocates in addition to the kernel's arrays. `workspace` returns the bytes for
// one tuning.
struct VariantNeed {
  MemorySpace memory_space = MemorySpace::host;
  Function<std::int64_t(const Problem& problem, const int* tuning)> workspace = {};
  const int* tuning = nullptr;
  int copies = 1;        // number of workspaces on this machine or GPU
  bool on_gpus = false;  // true if the problem is partitioned over GPUs
};

MemoryNeed memory_need(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                       std::int64_t guard_bytes);

// Returns "" if the problem fits into 90 % of the free host memory and 95 % of the free device memory.
// Otherwise returns the reason: memory need, free memory, and the largest N that fits. Ignores free_device
// for MemorySpace::host.
std::string why_too_large(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                          std::int64_t guard_bytes, double free_host, double free_device);

// Formats a number of bytes with three digits and a binary unit, such as "1.5 GiB".
std::string shown_bytes(double bytes);

}  // namespace sextant
