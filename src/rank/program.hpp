// sextant-rank: one of the processes of a case that lies in parts, the only program here that is linked with
// MPI. Launchers of MPI's start it; the first rank reads cases from standard input and answers on standard
// output.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// `change`, of tests: what they have in place of what MPI says.
int rank_program(int count, char** arguments,
                 void (*change)(parts::Ranks* ranks, RankPlace* place) = nullptr);

}  // namespace sextant
