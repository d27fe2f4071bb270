#include "blocked.hpp"
#include "loop.hpp"

namespace sextant {
namespace {

namespace blocked {

template <typename T>
void launch(const Call& call) {
  const std::int64_t blocks = map_chain::blocks_of(call.problem, call.tuned<map_chain::Block>().block);
#pragma omp parallel for schedule(static)
  for (std::int64_t index = 0; index < blocks; ++index) map_chain::do_block<T>(call, index);
}

Variant form() {
  Variant variant =
      map_chain::blocked_variant("threads over blocks of elements; all maps on a block before the next one");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace blocked

namespace fork_each {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, steps = map_chain::steps_of(call.problem);
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1), half = T(0.5);
  T* y = call.array<T>(2);
  for (std::int64_t t = 0; t < steps; ++t) {
    const T *from = t == 0 ? y0 : y, sign = t % 2 == 0 ? T(1) : T(-1);
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < n; ++i) y[i] = half * from[i] + sign * x[i];
  }
}

}  // namespace fork_each

namespace one_region {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, steps = map_chain::steps_of(call.problem);
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1), half = T(0.5);
  T* y = call.array<T>(2);
#pragma omp parallel
  for (std::int64_t t = 0; t < steps; ++t) {
    const T *from = t == 0 ? y0 : y, sign = t % 2 == 0 ? T(1) : T(-1);
#pragma omp for simd schedule(static)
    for (std::int64_t i = 0; i < n; ++i) y[i] = half * from[i] + sign * x[i];
  }
}

}  // namespace one_region

}  // namespace

std::vector<Variant> map_chain_openmp() {
  return {
      named("blocked", blocked::form()),
      {.name = "fork_each",
       .description = "the plain form: one parallel loop per map",
       .launch = SEXTANT_FLOAT_DOUBLE(fork_each::launch)},
      {.name = "one_region",
       .description = "one parallel region; threads synchronize after each map",
       .launch = SEXTANT_FLOAT_DOUBLE(one_region::launch)},
  };
}

}  // namespace sextant
