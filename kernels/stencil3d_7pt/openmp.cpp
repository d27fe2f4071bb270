#include <algorithm>
#include <cstring>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/caches.hpp"
#include "toolbox/host/grid.hpp"
#include "toolbox/host/streaming.hpp"

// Distribution of the 3-D stencil among threads. Each thread computes a band of rows through all planes.
// Within a band it computes groups of neighbouring planes together, so that rows of b come from the outer
// caches about once.
namespace sextant::stencil3d_7pt {

using PlanesTogether = Choices<1, 2, 4, 8>;

struct Band {
  int tile_rows = 64, planes_per_iteration = 4;
};

inline std::vector<Tunable> band_tunables() {
  return tunables<Band>({{"tile_rows", &Band::tile_rows, {4, 8, 16, 32, 64, 128, 256}},
                         {"planes_per_iteration", &Band::planes_per_iteration, PlanesTogether::list()}});
}

// Computes several planes together only if both arrays exceed the caches, where this saves reads from memory.
// For smaller arrays it took a fifth to two fifths longer (0.5 to 10 MiB, two cores of an AMD EPYC). A band
// has as many rows as possible. Its rows of these planes, and of one more plane on either side, take at most
// 0.75 MiB. That fits in the L2 cache of a current processor core.
inline void adapt_band(const Problem& problem, Band& band) {
  const auto size = static_cast<std::int64_t>(element_size(problem.type));
  if (fits_in_caches(2 * problem.extents.count() * size)) band.planes_per_iteration = 1;
  const std::int64_t row = problem.extents.x * size;
  const std::int64_t planes = band.planes_per_iteration + 2;
  band.tile_rows = 4;
  while (band.tile_rows < 256 && 2 * band.tile_rows * row * planes <= (std::int64_t{3} << 18))
    band.tile_rows *= 2;
}

// Copies the border rows among the rows [top, bottom) of plane z.
template <typename T>
void copy_border_rows(const Call& call, std::int64_t z, std::int64_t top, std::int64_t bottom) {
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t y = top; y < bottom; ++y)
    if (z == 0 || z == n - 1 || y == 0 || y == n - 1)
      std::memcpy(call.array<T>(1) + (z * n + y) * n, call.array<const T>(0) + (z * n + y) * n,
                  static_cast<std::size_t>(n) * sizeof(T));
}

// Distributes all bands of all planes among threads. Every thread of a parallel region must call it.
// inner<planes>(begin, end) must compute elements [begin, end), and the same range in each of the next planes
// - 1 planes. These ranges include the first and last element of each row.
template <typename T, typename Inner>
void share_bands(const Call& call, Inner inner) {
  const auto tuned = call.tuned<Band>();
  const std::int64_t n = call.problem.extents.x, tile = tuned.tile_rows, tiles = (n + tile - 1) / tile;
  PlanesTogether::with(tuned.planes_per_iteration, [&]<int planes>() {
#pragma omp for collapse(2) schedule(static)
    for (std::int64_t band = 0; band < tiles; ++band)
      for (std::int64_t front = 0; front < n; front += planes) {
        const std::int64_t top = band * tile, bottom = std::min(n, top + tile),
                           back = std::min(n, front + planes);
        const std::int64_t first = std::max<std::int64_t>(top, 1), last = std::min(bottom, n - 1);
        for (std::int64_t z = front; z < back; ++z) copy_border_rows<T>(call, z, top, bottom);
        if (first >= last) continue;
        if (front > 0 && front + planes < n)
          inner.template operator()<planes>((front * n + first) * n, (front * n + last) * n);
        else
          for (std::int64_t z = front; z < back; ++z)
            if (z > 0 && z < n - 1) inner.template operator()<1>((z * n + first) * n, (z * n + last) * n);
      }
  });
}

}  // namespace sextant::stencil3d_7pt

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const auto value = [=](std::int64_t i) { return stencil3d_7pt::point(b, n, i); };
#pragma omp parallel
  stencil3d_7pt::share_bands<T>(call, [=]<int planes>(std::int64_t begin, std::int64_t end) {
    store_runs<planes>(begin, end, n * n, c, value);
    for (std::int64_t i = begin; i < begin + planes * n * n; i += n * n)
      ColumnEnds<T>(b, n, i)(i, i + end - begin, c + i);
  });
}

}  // namespace simd

namespace streaming {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const auto value = [=](std::int64_t i) { return stencil3d_7pt::point(b, n, i); };
  const auto column_ends = [=](std::int64_t first) { return ColumnEnds<T>(b, n, first); };
#pragma omp parallel
  {
    stencil3d_7pt::share_bands<T>(call, [=]<int planes>(std::int64_t begin, std::int64_t end) {
      stream_runs<planes>(begin, end, n * n, c, value, column_ends);
    });
    stream_fence();
  }
}

}  // namespace streaming

}  // namespace

std::vector<Variant> stencil3d_7pt_openmp() {
  return {
      {.name = "simd",
       .description = "threads over bands of rows; groups of planes computed together; SIMD along rows",
       .tunables = stencil3d_7pt::band_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch),
       .adapt = by_name<stencil3d_7pt::adapt_band>},
      {.name = "streaming",
       .description =
           "threads over bands of rows; groups of planes computed together; SIMD; streaming stores",
       .tunables = stencil3d_7pt::band_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .adapt = by_name<stencil3d_7pt::adapt_band>,
       .for_large_arrays = true},
  };
}

}  // namespace sextant
