// The table of calls between ranks, by MPI.
#pragma once

#include "suite/parts.hpp"

namespace sextant {

// This process among all that were started with it; MPI is there until `leave_mpi`.
parts::Ranks enter_mpi(int* count, char*** arguments);
void leave_mpi();

}  // namespace sextant
