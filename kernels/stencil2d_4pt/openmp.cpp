#include <cstring>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/caches.hpp"
#include "toolbox/host/streaming.hpp"

// Distribution of the 2-D stencil among threads. A thread computes groups of neighbouring rows together, so
// that each row of b comes from the L2 cache about once instead of three times.
namespace sextant::stencil2d_4pt {

using RowsTogether = Choices<1, 2, 4, 8>;

// Distributes all rows in groups of `rows_together`. Every thread of a parallel region must call it.
// inner<rows>(y) must compute `rows` rows from row y on, except for the first and last element of each row.
template <typename T, typename Inner>
void share_rows(const Call& call, int rows_together, Inner inner) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const auto copy = [=](std::int64_t begin, std::int64_t count) {
    std::memcpy(c + begin, b + begin, static_cast<std::size_t>(count) * sizeof(T));
  };
  RowsTogether::with(rows_together, [&]<int rows>() {
#pragma omp for schedule(static)
    for (std::int64_t top = 0; top < n; top += rows) {
      const std::int64_t bottom = top + rows < n ? top + rows : n;
      if (top > 0 && top + rows < n)
        inner.template operator()<rows>(top);
      else
        for (std::int64_t y = top; y < bottom; ++y)
          if (y > 0 && y < n - 1)
            inner.template operator()<1>(y);
          else
            copy(y * n, n);
      for (std::int64_t y = top; y < bottom; ++y) {
        copy(y * n, 1);
        copy(y * n + n - 1, 1);
      }
    }
  });
}

}  // namespace sextant::stencil2d_4pt

namespace sextant {
namespace {

namespace simd {

struct Group {
  int rows_per_iteration = 4;
};

// Computing several rows together saves reads from memory. If both arrays fit in caches, each row is computed
// by itself. Computing several together then took a quarter longer (5 and 10 MiB, two cores of an AMD EPYC).
void adapt(const Problem& problem, Group& group) {
  const auto size = static_cast<std::int64_t>(element_size(problem.type));
  if (fits_in_caches(2 * problem.extents.count() * size)) group.rows_per_iteration = 1;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const int together = call.tuned<Group>().rows_per_iteration;
  const auto value = [=](std::int64_t i) { return stencil2d_4pt::point(b, n, i); };
#pragma omp parallel
  stencil2d_4pt::share_rows<T>(call, together, [=]<int rows>(std::int64_t y) {
    store_runs<rows>(y * n + 1, y * n + n - 1, n, c, value);
  });
}

}  // namespace simd

namespace streaming {

struct Group {
  int rows_per_iteration = 8;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const int together = call.tuned<Group>().rows_per_iteration;
  const auto value = [=](std::int64_t i) { return stencil2d_4pt::point(b, n, i); };
  const auto no_patch = [](std::int64_t) { return NoPatch{}; };
#pragma omp parallel
  {
    stencil2d_4pt::share_rows<T>(call, together, [=]<int rows>(std::int64_t y) {
      stream_runs<rows>(y * n + 1, y * n + n - 1, n, c, value, no_patch);
    });
    stream_fence();
  }
}

}  // namespace streaming

}  // namespace

std::vector<Variant> stencil2d_4pt_openmp() {
  return {
      {.name = "simd",
       .description = "the plain form: threads over groups of rows computed together; SIMD along rows",
       .tunables = tunables<simd::Group>(
           {{"rows_per_iteration", &simd::Group::rows_per_iteration, stencil2d_4pt::RowsTogether::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch),
       .adapt = by_name<simd::adapt>},
      {.name = "streaming",
       .description = "threads over groups of rows computed together; SIMD; stores that bypass the caches",
       .tunables = tunables<streaming::Group>({{"rows_per_iteration", &streaming::Group::rows_per_iteration,
                                                stencil2d_4pt::RowsTogether::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .for_large_arrays = true},
  };
}

}  // namespace sextant
