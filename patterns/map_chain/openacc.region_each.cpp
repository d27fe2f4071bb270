#include <openacc.h>

#include "regions.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  map_chain::launch_regions<T>(call, acc_async_sync);
}

}  // namespace

Variant map_chain_openacc_region_each() {
  Variant variant = map_chain::regions_variant("the form one writes first: a region a map, each waited for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
