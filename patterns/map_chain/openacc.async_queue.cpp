#include <openacc.h>

#include "regions.hpp"

namespace sextant {
namespace {

constexpr int queue = 1;

template <typename T>
void launch(const Call& call) {
  map_chain::launch_regions<T>(call, queue);
  acc_wait(queue);
}

}  // namespace

Variant map_chain_openacc_async_queue() {
  Variant variant = map_chain::regions_variant("a region a map in one queue, waited for once");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
