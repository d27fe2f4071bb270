#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  for_each_index(0, call.problem.extents.x,
                 [=](std::int64_t r) { a.y[r] = spmv::sum_of_entries(a, a.row[r], a.row[r + 1]); });
}

}  // namespace

std::vector<Variant> spmv_stdpar() {
  return {
      {.name = "for_each", .description = "std::for_each over rows", .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
