#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const T *p = call.array<const T>(0), *k = call.array<const T>(1), *t = call.array<const T>(2);
  T *calls = call.array<T>(3), *puts = call.array<T>(4);
  for_each_index(0, call.problem.extents.x, [=](std::int64_t i) {
    const blackscholes::Prices<T> prices = blackscholes::prices_by_library(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  });
}

}  // namespace

Variant blackscholes_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over options, functions of the library";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
