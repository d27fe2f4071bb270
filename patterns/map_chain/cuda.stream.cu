#include "maps.cuh"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  map_chain::launch_maps<T>(call, call.tuned<map_chain::Block>().block_size, false);
}

}  // namespace

Variant map_chain_cuda_stream() {
  Variant variant = map_chain::maps_variant("the form one writes first: a launch a map, one after another");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
