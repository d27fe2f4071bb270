// The loop in which a rank (one of several MPI processes) receives cases and runs them.
#pragma once

#include <vector>

#include "engine/process/loads.hpp"
#include "suite/parts.hpp"

namespace sextant {

// Position of a rank among the ranks on its machine.
struct RankPlace {
  int on_machine = 0, of_machine = 1;  // index of the rank on its machine, and number of ranks there
  int nodes = 1;                       // number of machines in use
  bool sends_gpu_memory = false;       // true if MPI messages may be in GPU memory
};

// Reads requests from `in` and writes replies to `out`, both on the first rank only. Ends when `in` is
// closed. Returns the exit code.
int rank_main(const parts::Ranks& ranks, const RankPlace& place, int in, int out,
              const std::vector<Load>& loads = {});

}  // namespace sextant
