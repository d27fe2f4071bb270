#include "loop.hpp"

namespace sextant {
namespace {

#if defined(__clang__) && __clang_major__ <= 14
const char* why_not() { return "Clang 14's code for the scan directive reads outside of its own buffer"; }
template <typename T>
void launch(const Call&) {}  // it does not compile in a template
#else
const char* why_not() { return nullptr; }

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  T sum = 0;
  #pragma omp parallel for simd reduction(inscan, + : sum)
  for (std::int64_t i = 0; i < n; ++i) {
    sum += a[i];
  #pragma omp scan inclusive(sum)
    y[i] = sum;
  }
}
#endif

}  // namespace

Variant inclusive_scan_openmp_inscan() {
  Variant variant;
  variant.description = "OpenMP's own scan directive in a parallel loop";
  variant.unavailable = why_not;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
