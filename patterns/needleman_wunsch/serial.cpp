#include "loop.hpp"
#include "rows.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace scan {

void launch(const Call& call) {
  const needleman_wunsch::Sequences all(call);
  needleman_wunsch::fill_borders(all);
  for (std::int64_t i = 1; i <= all.n; ++i)
    needleman_wunsch::fill_row(all, i, 1, static_cast<std::int32_t>(all.n + 1));
}

}  // namespace scan

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(needleman_wunsch)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, row by row, -O2",
       .launch = {.int32 = needleman_wunsch::loop<std::int32_t>}},
      {.name = "native",
       .description = "the plain loop, row by row, -O3 for this processor",
       .launch = {.int32 = needleman_wunsch::loop<std::int32_t>}},
      {.name = "scan",
       .description = "each row as a vectorized running maximum (OpenMP simd scan)",
       .launch = {.int32 = scan::launch}},
  });
}

}  // namespace sextant
