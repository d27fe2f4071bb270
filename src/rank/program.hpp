// The program sextant-rank: one of the MPI processes that together run a case. It is the only program that
// links MPI. Rank 0 reads cases from standard input and writes the results to standard output.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// Returns the exit code. Tests use `change` to replace the rank and machine that MPI reports.
int rank_program(int count, char** arguments,
                 void (*change)(parts::Ranks* ranks, RankPlace* place) = nullptr);

}  // namespace sextant
