#include "machine/processor_state.hpp"

#include <cfenv>
#ifdef __x86_64__
  #include <xmmintrin.h>
#endif

namespace sextant {

void set_usual_arithmetic() {
  // Sets the mode in this thread first, because LLVM's OpenMP copies it to the other threads and restores it
  // after the region. The second call sets the other threads.
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
