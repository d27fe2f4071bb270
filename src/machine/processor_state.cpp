#include "machine/processor_state.hpp"

#include <cfenv>
#ifdef __x86_64__
  #include <xmmintrin.h>
#endif

namespace sextant {

void set_usual_arithmetic() {
  std::fesetenv(FE_DFL_ENV);  // LLVM's OpenMP hands this thread's on, and puts it back after a region
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
