// sextant-rank: one of the processes of a case that lies in parts, the only program here that is linked with MPI. Launchers
// of MPI's start it; the first rank reads cases from standard input and answers on standard output.
#pragma once

namespace sextant {

int rank_program(int count, char** arguments);

}  // namespace sextant
