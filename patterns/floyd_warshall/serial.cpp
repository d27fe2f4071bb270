#include "blocks.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace blocked {

template <typename T>
void launch(const Call& call) {
  floyd_warshall::blocked<T>(call, [](std::int64_t count, const auto& body) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
  });
}

Variant form() {
  Variant variant = floyd_warshall::blocked_variant(
      "blocks of 64 vertices: paths among and from them, then bands of rows with minima in vector registers");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace blocked

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(floyd_warshall)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(floyd_warshall::loop)},
      named("blocked", blocked::form()),
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(floyd_warshall::loop)},
  });
}

}  // namespace sextant
