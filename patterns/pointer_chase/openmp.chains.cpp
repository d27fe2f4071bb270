#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < chains; ++c) pointer_chase::walk<std::int32_t>(call, c);
}

}  // namespace

Variant pointer_chase_openmp_chains() {
  Variant variant;
  variant.description = "threads over chains, each chain by itself";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
