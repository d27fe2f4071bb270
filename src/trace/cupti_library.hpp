// Opens libcupti at run time, wherever the toolkit keeps it.
#pragma once

#include "base/dynamic_library.hpp"

namespace sextant {

DynamicLibrary& cupti_library();

}  // namespace sextant
