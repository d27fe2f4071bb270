// Implements the messages between ranks by MPI.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// Starts MPI, which runs until leave_mpi(). Returns this process's rank, and in *place its position on the
// machines.
parts::Ranks enter_mpi(int* count, char*** arguments, RankPlace* place);
void leave_mpi();

}  // namespace sextant
