// Copies of this process that users' code makes by fork().
#pragma once

#include <cstdlib>

namespace sextant {

// Whether this process is such a copy. Set in copies alone, once watch_copies() was called.
inline bool is_copy = false;

// From now on a copy lacks these two descriptors, and ends with this process.
void watch_copies(int in, int out);

// Ends a copy in which users' code returned: the original goes on.
inline void end_if_copy() {
  if (is_copy) std::_Exit(0);
}

}  // namespace sextant
