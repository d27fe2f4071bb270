// Compiler options and code for libraries that report every access to memory.
#pragma once

#include <string>
#include <vector>

namespace sextant::own {

// The compiler calls a function before each access (-fsanitize=kernel-address). No sanitizer is linked.
std::vector<std::string> watch_flags(bool clang);
// The linker makes calls of memset, memcpy and memmove reach functions that report them first.
std::vector<std::string> watch_linker_flags(bool nvcc);
// Returns the code of these functions. They call
//   void (*sextant_watch)(const void* at, unsigned long bytes, int writes)
// which the library exports, unless it is null.
std::string watch_text();

}  // namespace sextant::own
