// The processors that OpenMP's threads may use, for whoever else is to have them.
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace sextant {

// OpenMP binds the thread that it starts in to one place already, and threads and processes made there
// inherit that: while this object lives, the calling thread has all places.
class AllPlaces {
 public:
  AllPlaces();
  ~AllPlaces();
  AllPlaces(const AllPlaces&) = delete;
  AllPlaces& operator=(const AllPlaces&) = delete;

 private:
  cpu_set_t saved_;
  bool changed_ = false;
};

// OpenBLAS keeps threads of its own, and counts the processors of the thread that loads it: one, once OpenMP
// has bound that thread. Gives it as many threads as OpenMP has (OPENBLAS_NUM_THREADS, if set), free to run
// on all of OpenMP's processors. FFTW runs on OpenMP's threads.
void give_libraries_all_places();

// Where a worker's OpenMP, if it is LLVM's, puts its threads: a core of these processors (none: all that this
// process may use) after the other, as a value of KMP_AFFINITY. LLVM's takes the processors of the thread
// that it begins in for the machine; GCC's, which FFTW brings, has bound that thread to one place by then.
// Empty where this process does not have both.
std::string places_for_llvm(const std::vector<int>& processors);

}  // namespace sextant
