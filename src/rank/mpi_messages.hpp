// The table of calls between ranks, by MPI.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// This process among all that were started with it, and where it is; MPI is there until `leave_mpi`.
parts::Ranks enter_mpi(int* count, char*** arguments, RankPlace* place);
void leave_mpi();

}  // namespace sextant
