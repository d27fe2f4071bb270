// Counts the threads of a kernel that have work.
#pragma once

#include "own/draft/signature.hpp"

namespace sextant::own {

// Determines how many threads or blocks have work, after the body was read. Some lengths depend on the number
// of threads. They become unknown if threads compare their index with a bound.
void count_items(Signature* function);

// Multiplies the work of a kernel's thread by the number of threads. An atomic sum has a term of each thread.
void multiply_threads(Signature* function, bool adds_atomically);

}  // namespace sextant::own
