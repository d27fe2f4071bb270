// The number of OpenMP threads of this process, and a temporary reduction of it.
#pragma once

namespace sextant {

int openmp_threads();

// Starts a team and returns the number of its threads. It may be smaller than openmp_threads() if
// OMP_THREAD_LIMIT, OMP_DYNAMIC or the system allows fewer.
int threads_of_a_team();

// While this object exists, parallel regions of the calling thread have `threads` threads. They run on the
// first of the places to which OpenMP binds threads. If `threads` is 0, the number stays unchanged.
class GivenThreads {
 public:
  explicit GivenThreads(int threads);
  ~GivenThreads();
  GivenThreads(const GivenThreads&) = delete;
  GivenThreads& operator=(const GivenThreads&) = delete;

 private:
  int before_ = 0;  // earlier number of threads; 0 if it was not changed
};

}  // namespace sextant
