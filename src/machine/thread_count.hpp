// The number of OpenMP threads of this process, and a temporary reduction of it.
#pragma once

namespace sextant {

int openmp_threads();

// Starts a parallel region and returns the number of its threads. It may be smaller than openmp_threads(),
// for example because of OMP_THREAD_LIMIT or OMP_DYNAMIC.
int threads_of_a_team();

// While this object exists, the calling thread's parallel regions have `threads` threads. They run on the
// first OpenMP places. If `threads` is 0, the number stays unchanged.
class GivenThreads {
 public:
  explicit GivenThreads(int threads);
  ~GivenThreads();
  GivenThreads(const GivenThreads&) = delete;
  GivenThreads& operator=(const GivenThreads&) = delete;

 private:
  int before_ = 0;  // previous number of threads; 0 if unchanged
};

}  // namespace sextant
