#include "blocks.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace blocked {

template <typename T>
void launch(const Call& call) {
  cholesky::factor<T>(call, [](std::int64_t begin, std::int64_t end, const auto& body) {
    for (std::int64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace blocked

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(cholesky)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, row by row, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(cholesky::loop)},
      {.name = "blocked",
       .description = "blocks of 64 columns: factor, solve, subtract; SIMD sums",
       .launch = SEXTANT_FLOAT_DOUBLE(blocked::launch)},
      {.name = "native",
       .description = "the plain loop, row by row, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(cholesky::loop)},
  });
}

}  // namespace sextant
