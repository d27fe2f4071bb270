// sizes: large
// openmp.simd with stores that pass the caches by: a row's results are gathered in registers by whole lines and
// written straight to memory, so that no line of v is fetched before it is overwritten. That saves a third of
// the traffic where the box does not fit into the caches; where it does, the next step must fetch from memory
// what would have been at hand. A fence and a barrier after each step make the stores visible to all threads.
#include "host.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

using heat3d::Bands;

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
template <int radius, heat3d::Weights weights, typename T>
void stream_row(const T* u, T* v, const Extents& box, std::int64_t z, std::int64_t y) {
  const std::int64_t begin = (z * box.y + y) * box.x, end = begin + box.x, plane = box.x * box.y;
  if (heat3d::in_rim<radius>(z, box.z) || heat3d::in_rim<radius>(y, box.y) || box.x <= 2 * radius)
    return heat3d::update_row<radius, weights>(u, v, box, z, y);
  stream_runs<1>(
      begin, end, 0, v, [=](std::int64_t i) { return heat3d::point<radius, weights>(u, box.x, plane, i); },
      [=](std::int64_t) {
        return RowEnds<radius, T>{u, begin, end};
      });
}

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const auto bands = call.tuned<Bands>();
#pragma omp parallel
  heat3d::sweep_steps(call, static_cast<T*>(call.state),
                      [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
                        heat3d::share_rows(box, 0, box.z, bands, [&](std::int64_t z, std::int64_t y) {
                          stream_row<radius, weights>(from, to, box, z, y);
                        });
                        stream_fence();
#pragma omp barrier
                      });
}

}  // namespace

Variant heat3d_openmp_streaming() {
  Variant variant = heat3d::host_variant(
      "threads over bands of rows that stay in cache, SIMD along rows, streaming stores");
  variant.tunables = tunables<Bands>(heat3d::band_members<Bands>());
  variant.adapt = by_name<heat3d::fit_bands>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
