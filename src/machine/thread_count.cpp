#include "machine/thread_count.hpp"

#include <omp.h>

namespace sextant {

int openmp_threads() { return omp_get_max_threads(); }

GivenThreads::GivenThreads(int threads) {
  if (threads <= 0) return;
  before_ = omp_get_max_threads();
  omp_set_num_threads(threads);
}

GivenThreads::~GivenThreads() {
  if (before_ > 0) omp_set_num_threads(before_);
}

}  // namespace sextant
