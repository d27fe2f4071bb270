#include "host.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

// Puts the rim's points of row [begin, end) into the parts of it that stream_runs stores.
template <int radius, typename T>
struct RowEnds {
  const T* u = nullptr;
  std::int64_t begin = 0, end = 0;

  void operator()(std::int64_t from, std::int64_t to, T* part) const {
    for (std::int64_t i = from; i < std::min(to, begin + radius); ++i) part[i - from] = u[i];
    for (std::int64_t i = std::max(from, end - radius); i < to; ++i) part[i - from] = u[i];
  }
};

// As update_row, with stores that leave the caches to what is read again. The first and last points' sums
// reach into the rows beside, which exist, and are overwritten.
template <int radius, typename T>
void stream_row(const T* u, T* v, const Extents& box, std::int64_t z, std::int64_t y) {
  const std::int64_t begin = (z * box.y + y) * box.x, end = begin + box.x, plane = box.x * box.y;
  if (heat3d::in_rim<radius>(z, box.z) || heat3d::in_rim<radius>(y, box.y) || box.x <= 2 * radius)
    return heat3d::update_row<radius>(u, v, box, z, y);
  stream_runs<1>(
      begin, end, 0, v, [=](std::int64_t i) { return heat3d::point<radius>(u, box.x, plane, i); },
      [=](std::int64_t) {
        return RowEnds<radius, T>{u, begin, end};
      });
}

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const std::int64_t steps = heat3d::steps_of(call.problem);
  heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                               static_cast<T*>(call.state), step, steps);
      heat3d::share_rows(box, 0, box.z, call.tuning[0],
                         [&](std::int64_t z, std::int64_t y) { stream_row<radius>(from, to, box, z, y); });
      stream_fence();
#pragma omp barrier
    }
  });
}

}  // namespace

Variant heat3d_openmp_streaming() {
  Variant variant = heat3d::host_variant(
      "threads over bands of rows that stay in cache, SIMD along rows, streaming stores");
  variant.tunables = heat3d::band_tunable();
  variant.adapt = [](const Problem& problem, int* tuning) { tuning[0] = heat3d::fitting_rows(problem); };
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
