// Number and index of OpenMP threads. A file compiled without OpenMP has a single thread. Each file has its
// own copy of these functions, as they differ between files with and without OpenMP.
#pragma once

#if defined(_OPENMP)
  #include <omp.h>
#endif

namespace sextant {
namespace {

// Returns the number of threads that a parallel region would have if it started here.
inline int thread_count() {
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// Returns the number of threads of the current parallel region.
inline int team_size() {
#if defined(_OPENMP)
  return omp_get_num_threads();
#else
  return 1;
#endif
}

inline int thread_index() {
#if defined(_OPENMP)
  return omp_get_thread_num();
#else
  return 0;
#endif
}

}  // namespace
}  // namespace sextant
