// The data that a launch gets if each part of its problem is on the GPU of a separate process: Call::parts of
// variants named cuda.mpi and cuda.mpi_….
#pragma once

#include "suite/team.hpp"

namespace sextant::parts {

// One process's view: a rank among the processes, and a team with one part, its own GPU.
struct GpuRank : Team {
  bool sends_gpu_memory = false;  // messages may be in GPU memory
};

inline const GpuRank& gpu_rank_of(const Call& call) { return static_cast<const GpuRank&>(*call.parts.ranks); }

}  // namespace sextant::parts
