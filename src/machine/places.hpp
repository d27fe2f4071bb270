// Lets threads and processes other than OpenMP's run on all processors that OpenMP uses.
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace sextant {

// OpenMP binds the initial thread to one place, and new threads and processes inherit that binding. While
// this object exists, the calling thread may run on all places.
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

// Gives OpenBLAS's own threads all of OpenMP's processors. Their number is that of OpenMP's threads, or
// OPENBLAS_NUM_THREADS. OpenBLAS itself counts the processors of the thread that loads it: only one, if
// OpenMP has bound that thread. FFTW needs no such call, as it runs on OpenMP's threads.
void give_libraries_all_places();

// Returns the value of KMP_AFFINITY for a worker with LLVM's OpenMP run time: one place per core of these
// processors. An empty `processors` means all that this process may use.
//
// It is needed if GCC's run time is also loaded, e.g. by FFTW. GCC's run time binds the initial thread to one
// place, and LLVM's then takes that place for the whole machine. Empty unless both run times are loaded.
std::string places_for_llvm(const std::vector<int>& processors);

}  // namespace sextant
