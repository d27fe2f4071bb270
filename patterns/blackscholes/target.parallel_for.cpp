// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void price(std::int64_t n, const T* p, const T* k, const T* t, T* calls, T* puts) {
#pragma omp target teams distribute parallel for map(to                           \
                                                     : p [0:n], k [0:n], t [0:n]) \
    map(from                                                                      \
        : calls [0:n], puts [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    const blackscholes::Prices<T> prices = blackscholes::prices_by_library(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  }
}

template <typename T>
void launch(const Call& call) {
  price(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<const T>(2),
        call.array<T>(3), call.array<T>(4));
}

}  // namespace

Variant blackscholes_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, functions of the library");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
