// Handles copies of this process that user code creates with fork().
#pragma once

#include <cstdlib>

namespace sextant {

// True in a copy of this process that fork() made after watch_copies() was called.
inline bool is_copy = false;

// Makes every forked copy of this process close the descriptors `in` and `out`, and exit when this process
// exits.
void watch_copies(int in, int out);

// Exits if this process is a forked copy, so that only the original process continues after user code
// returns.
inline void end_if_copy() {
  if (is_copy) std::_Exit(0);
}

}  // namespace sextant
