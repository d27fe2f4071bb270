// Loading a library may change how this thread computes: one that is linked with -ffast-math by GCC makes the
// thread that loads it, and those it starts later, flush small numbers to zero, until the process ends.
#pragma once

#include <cfenv>

namespace sextant {

// While it lives, code may change the thread's rounding and flushing; they are as before afterwards.
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
