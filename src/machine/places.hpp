// Lets threads and processes outside OpenMP run on all processors that OpenMP uses.
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace sextant {

// While this object exists, the calling thread may run on all OpenMP places. Without it, OpenMP binds the
// initial thread to one place, and new threads and processes inherit that binding.
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

// Lets OpenBLAS's own threads run on all of OpenMP's processors. There are as many of them as OpenMP has
// threads, or OPENBLAS_NUM_THREADS. Without this call, OpenBLAS counts the processors of the thread that
// loads it. That is only one if OpenMP has bound the thread. FFTW needs no such call, because it runs on
// OpenMP's threads.
void give_libraries_all_places();

// Returns the value of KMP_AFFINITY for a worker process with LLVM's OpenMP run time: one place per core of
// `processors`. An empty list means all processors that this process may use.
//
// The value is needed if GCC's run time is also loaded, for example by FFTW. GCC's run time binds the initial
// thread to one place. LLVM's run time would then take that place for the whole machine. Returns an empty
// text unless both run times are loaded.
std::string places_for_llvm(const std::vector<int>& processors);

}  // namespace sextant
