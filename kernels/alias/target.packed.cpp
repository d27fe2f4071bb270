// As teams_simd, 16-byte packs of ones, some of them a lane at a time.
#include "loop.hpp"
#include "toolbox/target/packed.hpp"

namespace sextant {
namespace {

// A lane's packs are a stretch of the arrays apart.
template <int packs, typename T>
void region(std::int64_t n, T* x, T* y, int most_teams) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t all = (n + width - 1) / width, stretch = (all + packs - 1) / packs;
  const int teams = target::teams_for(most_teams, stretch, target::at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(x [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t pack = 0; pack < stretch; ++pack) {
    if ((pack + (packs - 1) * stretch + 1) * width <= n) {
      T ones[width];
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) ones[k] = T(1);
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) {
        openacc::store_pack(x + (pack + p * stretch) * width, ones);
        openacc::store_pack(y + (pack + p * stretch) * width, ones);
      }
    } else {
      for (std::int64_t first = pack * width; first < n; first += stretch * width)
        for (std::int64_t k = first; k < first + width && k < n; ++k) x[k] = y[k] = T(1);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<target::Packs>();
  const std::int64_t n = call.problem.extents.x;
  T *x = call.array<T>(0), *y = call.array<T>(1);
  if (shape.packs == 1)
    region<1>(n, x, y, shape.teams);
  else if (shape.packs == 2)
    region<2>(n, x, y, shape.teams);
  else if (shape.packs == 4)
    region<4>(n, x, y, shape.teams);
  else
    region<8>(n, x, y, shape.teams);
}

}  // namespace

Variant alias_target_packed() {
  Variant variant = target::packs_variant("teams distribute simd, some 16-byte packs a lane at a time");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
