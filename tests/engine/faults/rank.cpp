// The rank program of the tests: the program's own ranks with additional faulty variants.
#include "faults/gpu_messages.hpp"
#include "faults/rank_faults.hpp"
#include "rank/program.hpp"

int main(int count, char** arguments) {
  sextant::add_rank_faults();
  return sextant::rank_program(count, arguments, sextant::stand_in_for_gpu_memory);
}
