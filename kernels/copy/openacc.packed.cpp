#include "toolbox/openacc/copy.hpp"

namespace sextant {

Variant copy_openacc_packed() { return openacc::packed_copy(); }

}  // namespace sextant
