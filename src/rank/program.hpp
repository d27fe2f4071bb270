// The program sextant-rank: one of the MPI processes that together run one case. It is the only program that
// is linked with MPI, and MPI launchers start it. The process with rank 0 reads cases from standard input and
// answers on standard output.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// Returns the exit code. Tests use `change` to replace the rank and machine that MPI reports.
int rank_program(int count, char** arguments,
                 void (*change)(parts::Ranks* ranks, RankPlace* place) = nullptr);

}  // namespace sextant
