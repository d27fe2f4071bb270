// A part of a GPU: SEXTANT_MULTIPROCESSORS=66 gives this process that many of its multiprocessors, by a green
// context of the driver (CUDA 12.4). Memory, its bandwidth and the second-level cache stay the whole GPU's.
#pragma once

#include <string>

namespace sextant {

// 0: all of them. Throws UserError where the variable is no count.
int multiprocessors_asked();

// Makes the part of GPU `index` current on this thread, in place of the context of all its multiprocessors;
// the same one each time. Returns why it cannot, or "".
std::string enter_partition(int index);

}  // namespace sextant
