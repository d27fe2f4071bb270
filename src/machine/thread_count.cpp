#include "machine/thread_count.hpp"

#include <omp.h>

#include <algorithm>

namespace sextant {

int openmp_threads() { return std::min(omp_get_max_threads(), omp_get_thread_limit()); }

int threads_of_a_team() {
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

GivenThreads::GivenThreads(int threads) {
  if (threads <= 0) return;
  before_ = omp_get_max_threads();
  omp_set_num_threads(threads);
}

GivenThreads::~GivenThreads() {
  if (before_ > 0) omp_set_num_threads(before_);
}

}  // namespace sextant
