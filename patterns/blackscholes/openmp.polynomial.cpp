#include <omp.h>

#include "host.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto begin_of = [=](std::int64_t part) {
      return n / threads * part + n % threads * part / threads;
    };
    blackscholes::price_part<T>(call, begin_of(thread), begin_of(thread + 1));
  }
}

}  // namespace

Variant blackscholes_openmp_polynomial() {
  Variant variant;
  variant.description = "threads, in the lanes of vectors, functions by arithmetic alone";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
