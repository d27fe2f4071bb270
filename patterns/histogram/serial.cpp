#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace tables {

// Uses four tables alternately, so that equal keys in succession do not wait for each other's store.
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
  std::int32_t tables[4][histogram::few_bins] = {};
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int t = 0; t < 4; ++t) ++tables[t][k[i + t]];
  for (; i < n; ++i) ++tables[0][k[i]];
  for (std::int64_t b = 0; b < bins; ++b) c[b] = tables[0][b] + tables[1][b] + tables[2][b] + tables[3][b];
}

}  // namespace tables

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(histogram)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = {.int32 = histogram::loop<std::int32_t>}},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = {.int32 = histogram::loop<std::int32_t>}},
      {.name = "tables",
       .description =
           "four tables, used alternately, so that equal consecutive keys do not wait for each other",
       .launch = {.int32 = tables::launch},
       .constraint = histogram::refuse_many_bins},
  });
}

}  // namespace sextant
