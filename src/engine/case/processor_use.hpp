// Measures how many processors a function keeps busy. It shows whether a library ran on one thread only.
#pragma once

#include <functional>
#include <optional>

namespace sextant {

struct ProcessorUse {
  double processors = 0;       // processor time of this process per wall-clock time
  bool by_one_thread = false;  // true if threads other than the calling one used almost no processor time
};

// Calls the function at least once, and for about 10 ms in total. The result is empty if other threads of the
// process are busy anyway, as OpenMP's threads are with OMP_WAIT_POLICY=active.
std::optional<ProcessorUse> processor_use_of(const std::function<void()>& function);

}  // namespace sextant
