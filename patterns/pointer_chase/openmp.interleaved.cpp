#include <omp.h>

#include "interleaved.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    pointer_chase::walk_groups(call, chains * thread / threads, chains * (thread + 1) / threads);
  }
}

}  // namespace

Variant pointer_chase_openmp_interleaved() {
  Variant variant = pointer_chase::interleaved_variant("threads over chains, several at a time");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
