// The host clock for measurements and timeouts.
#pragma once

#include <chrono>

namespace sextant {

// Returns seconds of a monotonic clock. Only differences are meaningful.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sextant
