// The program sextant-rank: one process of a case that runs on several ranks. It is the only program that is
// linked with MPI, and MPI launchers start it. The first rank reads cases from standard input and answers on
// standard output.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// Returns the exit code. `change`: for tests, which replace what MPI reports.
int rank_program(int count, char** arguments,
                 void (*change)(parts::Ranks* ranks, RankPlace* place) = nullptr);

}  // namespace sextant
