// Implements the messages between processes (parts::Messages) with MPI.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// Starts MPI, which runs until leave_mpi(). Returns this process's rank, and stores in *place on which
// machine it runs.
parts::Ranks enter_mpi(int* count, char*** arguments, RankPlace* place);
void leave_mpi();

}  // namespace sextant
