// The loop in which a rank receives and runs requests.
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

// Reads requests from `in` and writes answers to `out`, both on the first rank only. Otherwise like
// worker_main().
int rank_main(const parts::Ranks& ranks, const RankPlace& place, int in, int out,
              const std::vector<Load>& loads = {});

}  // namespace sextant
