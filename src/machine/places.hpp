// The processors that OpenMP's threads may use, for whoever else is to have them.
#pragma once

#include <sched.h>

namespace sextant {

// OpenMP binds the thread that it starts in to one place already, and threads and processes made there inherit
// that: while this object lives, the calling thread has all places.
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

}  // namespace sextant
