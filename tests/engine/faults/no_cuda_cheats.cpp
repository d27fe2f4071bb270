#include "faults/cheats.hpp"

namespace sextant {

std::vector<Variant> cuda_cheats() { return {}; }

}  // namespace sextant
