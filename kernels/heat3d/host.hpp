// The workspace of the CPU variants, and how they distribute a sweep among threads.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant::heat3d {

// Allocates the second array, with which steps alternate. Each thread touches the pages that it will use
// first.
inline const char* prepare_host(const Call& call, void** state) {
  constexpr std::int64_t page = 4096;
  const std::int64_t bytes = (workspace_bytes(call.problem) + page - 1) / page * page;
  if (bytes == 0) return nullptr;
  *state = std::aligned_alloc(page, static_cast<std::size_t>(bytes));
  if (!*state) return "no host memory for the second array of the time steps";
  char* const base = static_cast<char*>(*state);
#pragma omp parallel for schedule(static)
  for (std::int64_t byte = 0; byte < bytes; byte += page) base[byte] = 0;
  return nullptr;
}

inline Variant host_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.workspace = [](const Problem& problem, const int*) { return workspace_bytes(problem); };
  variant.prepare = prepare_host;
  variant.release = std::free;
  return variant;
}

// Distribution of a sweep among threads by bands. Band b consists of the rows [b * tile_rows, (b + 1) *
// tile_rows) of all planes.
struct Bands {
  int tile_rows = 32;
};

// Returns the tunables of a struct that is Bands or extends it.
template <typename Shape>
std::vector<TunableMember<Shape>> band_members() {
  return {{"tile_rows", &Shape::tile_rows, {4, 8, 16, 32, 64, 128, 256}}};
}

// Chooses the tallest band whose 2R + 2 planes take at most 0.75 MiB. That fits in the L2 cache of a current
// processor core.
inline void fit_bands(const Problem& problem, Bands& bands) {
  const std::int64_t row = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  int rows = 4;
  while (rows < 256 && 2 * rows * row * (2 * radius_of(problem) + 2) <= (std::int64_t{3} << 18)) rows *= 2;
  bands.tile_rows = rows;
}

// Calls row(z, y) for all rows of the planes [first, last). Every thread of a parallel region must call it. A
// thread goes through all planes of its bands, so that neighbouring planes are still in its cache.
template <typename Row>
static void share_rows(const Extents& box, std::int64_t first, std::int64_t last, const Bands& shape,
                       Row row) {
  const std::int64_t tile = shape.tile_rows, bands = (box.y + tile - 1) / tile;
#pragma omp for collapse(2) schedule(static)
  for (std::int64_t band = 0; band < bands; ++band)
    for (std::int64_t z = first; z < last; ++z)
      for (std::int64_t y = band * tile; y < std::min(box.y, (band + 1) * tile); ++y) row(z, y);
}

}  // namespace sextant::heat3d
