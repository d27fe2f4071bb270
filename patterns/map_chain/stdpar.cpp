#include "blocked.hpp"
#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace blocked {

template <typename T>
void launch(const Call& call) {
  const std::int64_t blocks = map_chain::blocks_of(call.problem, call.tuned<map_chain::Block>().block);
  for_each_index(0, blocks, [&](std::int64_t index) { map_chain::do_block<T>(call, index); });
}

Variant form() {
  Variant variant = map_chain::blocked_variant(
      "std::for_each over blocks of elements; all maps on a block before the next one");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace blocked

namespace transform {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1);
  T* y = call.array<T>(2);
  on_algorithm_threads([&] {
    for (std::int64_t t = 0; t < map_chain::steps_of(call.problem); ++t) {
      const T *from = t == 0 ? y0 : y, sign = t % 2 == 0 ? T(1) : T(-1);
      std::transform(std::execution::par_unseq, from, from + n, x, y,
                     [sign](T one, T other) { return T(0.5) * one + sign * other; });
    }
  });
}

}  // namespace transform

}  // namespace

std::vector<Variant> map_chain_stdpar() {
  return {
      named("blocked", blocked::form()),
      {.name = "transform",
       .description = "the plain form: one std::transform per map",
       .launch = SEXTANT_FLOAT_DOUBLE(transform::launch)},
  };
}

}  // namespace sextant
