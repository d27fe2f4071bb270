#include "rows.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  needleman_wunsch::Rectangle shape;
  needleman_wunsch::adapt_rectangle(call.problem, shape);
  needleman_wunsch::fill_rectangles(
      needleman_wunsch::Sequences(call), shape.rows, shape.columns,
      [](std::int64_t count, const auto& body) { for_each_index(0, count, body); });
}

}  // namespace

std::vector<Variant> needleman_wunsch_stdpar() {
  return {{.name = "for_each",
           .description =
               "std::for_each over the rectangles of an antidiagonal; each row as a vectorized running "
               "maximum",
           .launch = {.int32 = launch}}};
}

}  // namespace sextant
