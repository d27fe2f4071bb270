// The data that a launch gets in Call::parts if an MPI process computes each partition of the problem on its
// own GPU. The variants are named cuda.mpi and cuda.mpi_….
#pragma once

#include "suite/team.hpp"

namespace sextant::parts {

// One of these processes: its MPI rank, and a Team that consists of one partition on the process's own GPU.
struct GpuRank : Team {
  bool sends_gpu_memory = false;  // true if messages may be in GPU memory (CUDA-aware MPI)
};

inline const GpuRank& gpu_rank_of(const Call& call) { return static_cast<const GpuRank&>(*call.parts.ranks); }

}  // namespace sextant::parts
