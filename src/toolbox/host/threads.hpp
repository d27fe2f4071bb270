// Number and index of OpenMP threads; 1 and 0 without OpenMP. Each file has its own copy of these functions,
// because some files are compiled without OpenMP.
#pragma once

#if defined(_OPENMP)
  #include <omp.h>
#endif

namespace sextant {
namespace {

// Returns the number of threads of a parallel region that would start here.
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
