// The loop in which a rank receives cases and runs them.
#pragma once

#include <vector>

#include "engine/process/loads.hpp"
#include "suite/parts.hpp"

namespace sextant {

// The position of a rank among all ranks that were started with it.
struct RankPlace {
  int on_machine = 0, of_machine = 1;  // Index on its machine, and number of ranks there.
  int nodes = 1;                       // Number of machines in use.
  bool sends_gpu_memory = false;       // MPI messages may lie in GPU memory.
};

// Reads requests from `in` and writes replies to `out`, both on the first rank only. Ends when `in` closes.
// Returns the exit code.
int rank_main(const parts::Ranks& ranks, const RankPlace& place, int in, int out,
              const std::vector<Load>& loads = {});

}  // namespace sextant
