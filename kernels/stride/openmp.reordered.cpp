#include "toolbox/host/reordered.hpp"

namespace sextant {

Variant stride_openmp_reordered() { return reordered_copy(); }

}  // namespace sextant
