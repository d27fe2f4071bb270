// Implements the messages between ranks (parts::Messages) with MPI.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// Starts MPI. Returns this process's rank, and sets *place to the machine on which it runs.
parts::Ranks enter_mpi(int* count, char*** arguments, RankPlace* place);
void leave_mpi();

}  // namespace sextant
