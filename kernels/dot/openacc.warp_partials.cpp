// Expected on an H200, from what the same form of the sum reaches there (4242 GB/s of doubles at 2^28
// elements): 4100 to 4250 GB/s at 2^28 elements an array.
#include "toolbox/openacc/warp_partials.hpp"

namespace sextant {
namespace {

struct Owner {};

}  // namespace

Variant dot_openacc_warp_partials() { return openacc::warp_partials_variant<Owner, 2>(); }

}  // namespace sextant
