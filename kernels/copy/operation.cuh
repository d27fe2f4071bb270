// What copy does to one element, for the stream forms.
#pragma once

#include "toolbox/cuda/stream.cuh"

namespace sextant::copy {

using Operation = stream::Copy;

}  // namespace sextant::copy
