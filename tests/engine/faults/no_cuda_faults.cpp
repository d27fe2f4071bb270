#include "faults/cuda_faults.hpp"

namespace sextant {

std::vector<Variant> cuda_fault_variants() { return {}; }

}  // namespace sextant
