#include "maps.cuh"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  map_chain::launch_maps<T>(call, call.tuned<map_chain::Block>().block_size, true);
}

}  // namespace

Variant map_chain_cuda_dependent_launch() {
  Variant variant = map_chain::maps_variant("a launch a map, which begins before the one before has ended");
  variant.unavailable = map_chain::lacks_dependent_launches;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
