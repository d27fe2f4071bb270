// Protects the processor's floating-point mode while a library is loaded. Libraries built with -ffast-math
// contain startup code that makes the thread flush subnormal numbers to zero.
#pragma once

#include <cfenv>

namespace sextant {

// Saves the thread's floating-point mode (rounding, flushing to zero). The destructor restores it.
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
