// The loop of the processes of a problem in parts.
#pragma once

#include <vector>

#include "engine/process/loads.hpp"
#include "suite/parts.hpp"

namespace sextant {

// Where a rank is among those that were started with it.
struct RankPlace {
  int on_machine = 0, of_machine = 1;  // which one, of how many, on its machine
  int nodes = 1;                       // machines that they are on
  bool sends_gpu_memory = false;       // its messages may lie in GPUs' memory
};

// Reads requests from the first rank's `in` and writes answers to its `out`, as worker_main does.
int rank_main(const parts::Ranks& ranks, const RankPlace& place, int in, int out,
              const std::vector<Load>& loads = {});

}  // namespace sextant
