// The number of OpenMP threads of this process, and a temporary reduction of it.
#pragma once

namespace sextant {

int openmp_threads();

// While this object exists, parallel regions of the calling thread have `threads` threads, on the first of
// the places that OpenMP binds threads to. 0 leaves the number unchanged.
class GivenThreads {
 public:
  explicit GivenThreads(int threads);
  ~GivenThreads();
  GivenThreads(const GivenThreads&) = delete;
  GivenThreads& operator=(const GivenThreads&) = delete;

 private:
  int before_ = 0;  // 0: unchanged
};

}  // namespace sextant
