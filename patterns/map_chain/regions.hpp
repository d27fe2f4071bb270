// A region of OpenACC a map.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant::map_chain {

using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128;
};

// In queue `queue`, or acc_async_sync. The vector length is a template argument, as GCC wants it constant.
template <typename T, int length>
void region(std::int64_t n, const T* x, const T* from, T* y, T sign, int queue) {
#pragma acc parallel loop gang vector vector_length(length) present(x [0:n], from [0:n], y [0:n]) async(queue)
  for (std::int64_t i = 0; i < n; ++i) y[i] = T(0.5) * from[i] + sign * x[i];
}

template <typename T>
void launch_regions(const Call& call, int queue) {
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1);
  T* y = call.array<T>(2);
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    for (std::int64_t t = 0; t < steps_of(call.problem); ++t)
      region<T, length>(call.problem.extents.x, x, t == 0 ? y0 : y, y, t % 2 == 0 ? T(1) : T(-1), queue);
  });
}

inline Variant regions_variant(const char* description) {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = description;
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  return variant;
}

}  // namespace sextant::map_chain
