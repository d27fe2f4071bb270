#include "host.hpp"
#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace for_each {

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

}  // namespace for_each

namespace polynomial {

constexpr std::int64_t tile = 1024;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  for_each_index(0, (n + tile - 1) / tile, [=](std::int64_t part) {
    blackscholes::price_part<T>(call, part * tile, std::min(n, (part + 1) * tile));
  });
}

}  // namespace polynomial

}  // namespace

std::vector<Variant> blackscholes_stdpar() {
  return {
      {.name = "for_each",
       .description = "the plain form: std::for_each over options, functions of the math library",
       .launch = SEXTANT_FLOAT_DOUBLE(for_each::launch)},
      {.name = "polynomial",
       .description = "std::for_each over tiles, SIMD, polynomials in place of math library functions",
       .launch = SEXTANT_FLOAT_DOUBLE(polynomial::launch)},
  };
}

}  // namespace sextant
