// Lets threads and processes outside OpenMP run on all processors that OpenMP uses.
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace sextant {

// While this object exists, the calling thread may run on all OpenMP places. Otherwise it is bound to one
// place, and the threads and processes that it starts inherit the binding.
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

// Lets OpenBLAS's own threads run on all of OpenMP's processors, and sets their number: OPENBLAS_NUM_THREADS
// or as many as OpenMP has. Otherwise OpenBLAS would use only the processors to which the calling thread is
// bound. FFTW needs no such call, because it runs on OpenMP's threads.
void give_libraries_all_places();

// Returns the value of KMP_AFFINITY for a worker process with LLVM's OpenMP library: one place per core of
// `processors`. An empty list means all usable processors.
//
// The value is needed if GCC's OpenMP library is also loaded, for example by FFTW. It binds the initial
// thread to one place, and LLVM's library would use only that place. Returns "" unless both libraries are
// loaded.
std::string places_for_llvm(const std::vector<int>& processors);

}  // namespace sextant
