// OpenMP's threads as its variants have them; one in a file that is compiled without it. Each file has these
// functions for itself, as the same name means another thing in the next.
#pragma once

#if defined(_OPENMP)
  #include <omp.h>
#endif

namespace sextant {
namespace {

// Of a parallel region that is begun here.
inline int thread_count() {
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// Of the region that this is called in.
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
