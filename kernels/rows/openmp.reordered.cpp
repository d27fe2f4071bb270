#include "toolbox/host/reordered.hpp"

namespace sextant {

Variant rows_openmp_reordered() { return reordered_copy(); }

}  // namespace sextant
