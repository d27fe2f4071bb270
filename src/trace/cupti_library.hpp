// Opens libcupti at run time, in the loader's search path or the CUDA toolkit's usual folders.
#pragma once

#include "base/dynamic_library.hpp"

namespace sextant {

DynamicLibrary& cupti_library();

}  // namespace sextant
