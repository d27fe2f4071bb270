// libcupti, opened at run time wherever the toolkit keeps it.
#pragma once

#include "device/shared_library.hpp"

namespace sextant {

const SharedLibrary& cupti_library();

}  // namespace sextant
