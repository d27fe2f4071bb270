// The host's clock for everything that is timed or waited for.
#pragma once

#include <chrono>

namespace sextant {

// Seconds of a clock that never goes back; only differences mean anything.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sextant
