#include "host.hpp"
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

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

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for, functions of the math library");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// One thread per team (no `parallel`); the simd loop runs on the SIMD lanes of that thread.
namespace polynomial {

template <typename T>
void price(std::int64_t n, const T* p, const T* k, const T* t, T* calls, T* puts, int teams) {
#pragma omp target SEXTANT_ONE_WARP map(p [0:n], k [0:n], t [0:n], calls [0:n], puts [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const blackscholes::Prices<T> prices = blackscholes::prices<blackscholes::Arithmetic>(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  price(n, call.array<const T>(0), call.array<const T>(1), call.array<const T>(2), call.array<T>(3),
        call.array<T>(4), target::teams_for(call.tuned<target::Warps>(), n));
}

Variant form() {
  Variant variant =
      target::warps_variant("teams of one warp, polynomials in place of math library functions");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace polynomial

}  // namespace

std::vector<Variant> blackscholes_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("polynomial", polynomial::form()),
  };
}

}  // namespace sextant
