// The worker program of the engine's tests: Sextant's worker plus faulty kernels.
#include "engine/process/worker.hpp"

#include "faults/faults.hpp"

int main() {
  sextant::add_fault_kernels();
  return sextant::worker_main(3, 4);
}
