#include <omp.h>

#include "interleaved.hpp"
#include "loop.hpp"

namespace sextant {
namespace {

namespace chains {

void launch(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < chains; ++c) pointer_chase::walk<std::int32_t>(call, c);
}

}  // namespace chains

namespace interleaved {

void launch(const Call& call) {
  const std::int64_t chains = pointer_chase::chains_of(call.problem);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    pointer_chase::walk_groups(call, chains * thread / threads, chains * (thread + 1) / threads);
  }
}

Variant form() {
  Variant variant =
      pointer_chase::interleaved_variant("threads over chains; each thread walks several chains at a time");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace interleaved

}  // namespace

std::vector<Variant> pointer_chase_openmp() {
  return {
      {.name = "chains",
       .description = "threads over chains; each thread walks one chain at a time",
       .launch = {.int32 = chains::launch}},
      named("interleaved", interleaved::form()),
  };
}

}  // namespace sextant
