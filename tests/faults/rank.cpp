// The ranks of the tests: the program's, with variants that go wrong.
#include "faults/rank_faults.hpp"
#include "rank/program.hpp"

int main(int count, char** arguments) {
  sextant::add_rank_faults();
  return sextant::rank_program(count, arguments);
}
