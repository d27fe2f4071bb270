// A problem that lies in parts, each on the GPU of a process of its own: what variants called cuda.mpi and
// cuda.mpi_… get as Call::parts.
#pragma once

#include "suite/team.hpp"

namespace sextant::parts {

// One of the processes: among them a rank, with its GPU a team of one part.
struct GpuRank : Team {
  bool sends_gpu_memory = false;  // messages may lie in GPUs' memory
};

inline const GpuRank& gpu_rank_of(const Call& call) { return static_cast<const GpuRank&>(*call.parts.ranks); }

}  // namespace sextant::parts
