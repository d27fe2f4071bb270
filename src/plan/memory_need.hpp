// What memory a problem needs, told before anything is allocated.
#pragma once

#include <string>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct MemoryNeed {   // bytes, as double: what is asked for may be far beyond any machine
  double host = 0;    // arrays with their guards and the reference in double
  double device = 0;  // arrays with their guards; 0 for MemorySpace::host; of a team's parts on one GPU
};

// What one variant allocates beside the kernel's arrays: its workspace with a tuning, and where it lives.
struct VariantNeed {
  MemorySpace memory_space = MemorySpace::host;
  Function<std::int64_t(const Problem& problem, const int* tuning)> workspace = {};
  const int* tuning = nullptr;
  int copies = 1;        // how many allocate that there: ranks of this machine, parts on one GPU
  bool on_gpus = false;  // MemorySpace::partitioned: of a team, whose parts lie on GPUs
};

MemoryNeed memory_need(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                       std::int64_t guard_bytes);

// Empty if the problem fits into what is free (a tenth of the host's and a twentieth of the device's is left
// alone), else why not: need, what is there, and the largest N that fits. free_device is ignored for
// MemorySpace::host.
std::string why_too_large(const Kernel& kernel, const Problem& problem, const VariantNeed& variant,
                          std::int64_t guard_bytes, double free_host, double free_device);

// "1.5 GiB": three digits and a unit, as memory is shown everywhere.
std::string shown_bytes(double bytes);

}  // namespace sextant
