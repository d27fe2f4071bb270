// Restricts this process to some multiprocessors of a GPU, for example by SEXTANT_MULTIPROCESSORS=66. It uses
// a green context of the driver (CUDA 12.4). Memory, its bandwidth and the L2 cache remain those of the whole
// GPU.
#pragma once

#include <string>

namespace sextant {

// Returns the number of multiprocessors in SEXTANT_MULTIPROCESSORS; 0 means all. Throws UserError if the
// value is not a positive number.
int multiprocessors_asked();

// Makes the restricted context of GPU `index` current on this thread. Every call uses the same context.
// Returns "" or the reason why that failed.
std::string enter_partition(int index);

}  // namespace sextant
