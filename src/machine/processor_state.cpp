#include "machine/processor_state.hpp"

#include <cfenv>
#ifdef __x86_64__
  #include <xmmintrin.h>
#endif

namespace sextant {

void set_usual_arithmetic() {
  // The state is set before and inside a parallel region, because LLVM's OpenMP copies this thread's state to
  // its other threads and restores it after the region.
  std::fesetenv(FE_DFL_ENV);
#pragma omp parallel
  std::fesetenv(FE_DFL_ENV);
}

bool is_arithmetic_usual() {
#ifdef __x86_64__
  constexpr unsigned flushes_results = 0x8000, flushes_operands = 0x0040;
  if (_mm_getcsr() & (flushes_results | flushes_operands)) return false;
#endif
  return std::fegetround() == FE_TONEAREST;
}

}  // namespace sextant
