// Restricts this process to some multiprocessors of a GPU by a green context of the driver (CUDA 12.4), e.g.
// SEXTANT_MULTIPROCESSORS=66. Memory, its bandwidth and the L2 cache remain those of the whole GPU.
#pragma once

#include <string>

namespace sextant {

// Returns the requested number of multiprocessors; 0 means all. Throws UserError if the variable is not a
// positive number.
int multiprocessors_asked();

// Makes the restricted context of GPU `index` current on this thread, the same context in every call. Returns
// why that failed, or "".
std::string enter_partition(int index);

}  // namespace sextant
