#include "blocked.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t blocks = map_chain::blocks_of(call.problem, call.tuned<map_chain::Block>().block);
#pragma omp parallel for schedule(static)
  for (std::int64_t index = 0; index < blocks; ++index) map_chain::do_block<T>(call, index);
}

}  // namespace

Variant map_chain_openmp_blocked() {
  Variant variant = map_chain::blocked_variant("threads over blocks of elements, all maps on each");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
