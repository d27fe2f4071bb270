// The program that each MPI rank of the tests runs: Sextant's rank program plus faulty variants.
#include "faults/gpu_messages.hpp"
#include "faults/rank_faults.hpp"
#include "rank/program.hpp"

int main(int count, char** arguments) {
  sextant::add_rank_faults();
  return sextant::rank_program(count, arguments, sextant::stand_in_for_gpu_memory);
}
