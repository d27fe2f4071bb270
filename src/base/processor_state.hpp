// Restores the floating-point state that loading a library may change. GCC links startup code into
// -ffast-math libraries that makes the loading thread, and threads it starts later, flush subnormal numbers
// to zero.
#pragma once

#include <cfenv>

namespace sextant {

// Saves the thread's floating-point environment (rounding, flushing) and restores it at the end of its scope.
class KeptProcessorState {
 public:
  KeptProcessorState() { std::fegetenv(&saved_); }
  ~KeptProcessorState() { std::fesetenv(&saved_); }
  KeptProcessorState(const KeptProcessorState&) = delete;
  KeptProcessorState& operator=(const KeptProcessorState&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace sextant
