// The contents of Call::parts in MPI variants with one process and one GPU per partition (cuda.mpi,
// cuda.mpi_…).
#pragma once

#include "suite/team.hpp"

namespace sextant::parts {

// An MPI rank. The inherited Team has one partition, on this process's GPU.
struct GpuRank : Team {
  bool sends_gpu_memory = false;  // true for CUDA-aware MPI, which can send from GPU memory
};

inline const GpuRank& gpu_rank_of(const Call& call) { return static_cast<const GpuRank&>(*call.parts.ranks); }

}  // namespace sextant::parts
