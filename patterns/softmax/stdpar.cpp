#include "rows.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t columns = softmax::columns_of(call.problem);
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(1);
  for_each_index(0, softmax::rows_of(call.problem),
                 [=](std::int64_t r) { softmax::three_passes(x + r * columns, columns, y + r * columns); });
}

}  // namespace

std::vector<Variant> softmax_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over rows, three passes per row",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
