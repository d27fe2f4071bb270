#include <omp.h>

#include "planes.hpp"

namespace sextant {
namespace {

std::int64_t planes_of_threads(const Problem& problem) {
  return omp_get_max_threads() * fft1d::planes_of(problem);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = fft1d::length_of(call.problem), batches = fft1d::batches_of(call.problem);
  T* state = static_cast<T*>(call.state);
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < batches; ++b)
    fft1d::transform(length, call.array<const T>(0) + 2 * b * length, state,
                     state + 2 * length + omp_get_thread_num() * fft1d::planes_of(call.problem),
                     call.array<T>(1) + 2 * b * length);
}

}  // namespace

std::vector<Variant> fft1d_openmp() {
  Variant variant = fft1d::host_variant<planes_of_threads>(
      "threads over transforms, each a SIMD Stockham transform of radix 4");
  variant.name = "simd";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
