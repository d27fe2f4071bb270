#include "rows.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using needleman_wunsch::Rectangle;

void launch(const Call& call) {
  const auto shape = call.tuned<Rectangle>();
  needleman_wunsch::fill_rectangles(needleman_wunsch::Sequences(call), shape.rows, shape.columns,
                                    [](std::int64_t count, const auto& body) {
#pragma omp parallel for schedule(static)
                                      for (std::int64_t k = 0; k < count; ++k) body(k);
                                    });
}

}  // namespace

Variant needleman_wunsch_openmp_tiles() {
  Variant variant;
  variant.description = "rectangles, diagonal by diagonal of them; in each, rows as running maxima";
  variant.tunables = tunables<Rectangle>({{"rows", &Rectangle::rows, {16, 32, 64, 128, 256}},
                                          {"columns", &Rectangle::columns, {64, 128, 256, 512, 1024}}});
  variant.adapt = by_name<needleman_wunsch::adapt_rectangle>;
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
