#include "toolbox/openacc/warp_partials.hpp"

namespace sextant {
namespace {

struct Owner {};

}  // namespace

Variant reduction_openacc_warp_partials() { return openacc::warp_partials_variant<Owner, 1>(); }

}  // namespace sextant
