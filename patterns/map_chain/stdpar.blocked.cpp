#include "blocked.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t blocks = map_chain::blocks_of(call.problem, call.tuned<map_chain::Block>().block);
  for_each_index(0, blocks, [&](std::int64_t index) { map_chain::do_block<T>(call, index); });
}

}  // namespace

Variant map_chain_stdpar_blocked() {
  Variant variant = map_chain::blocked_variant("std::for_each over blocks of elements, all maps on each");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
