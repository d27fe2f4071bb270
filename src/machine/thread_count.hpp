// How many threads OpenMP has in this process, and fewer of them for a while.
#pragma once

namespace sextant {

int openmp_threads();

// While this object lives, parallel regions that the calling thread begins have `threads` threads, the first
// of those places that OpenMP binds threads to; 0: as many as before.
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
