// Restricts this process to some multiprocessors of a GPU, for example with SEXTANT_MULTIPROCESSORS=66. Uses
// a green context of the CUDA driver (CUDA 12.4). Memory bandwidth and the L2 cache are not restricted.
#pragma once

#include <string>

namespace sextant {

// Returns the number of multiprocessors in SEXTANT_MULTIPROCESSORS; 0 means all. Throws UserError if the
// value is not a positive number.
int multiprocessors_asked();

// Makes the restricted context of GPU `index` current on this thread; the first call creates it. Returns ""
// or an error message.
std::string enter_partition(int index);

}  // namespace sextant
