// Protects the floating-point state of the processor while a library is loaded. GCC links startup code into
// -ffast-math libraries that changes this state: the loading thread, and threads that it starts later, flush
// subnormal numbers to zero.
#pragma once

#include <cfenv>

namespace sextant {

// Saves the thread's floating-point environment (rounding, flushing to zero) and restores it when the object
// is destroyed.
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
