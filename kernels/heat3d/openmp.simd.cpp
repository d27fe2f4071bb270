// One sweep a step, shared by threads. The rows of a plane are cut into bands, and a thread walks through all
// planes of its bands: a band is low enough for its 2R + 1 planes to stay in the core's L2 cache, so that each
// value comes from memory once. Along a row: SIMD. Threads wait for each other once a step, at the end of the
// shared loop. In floats a point and step costs 8 bytes of memory, and 4 more for lines that stores fetch first.
#include "host.hpp"

namespace sextant {
namespace {

using heat3d::Bands;

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const auto bands = call.tuned<Bands>();
#pragma omp parallel
  heat3d::sweep_steps(call, static_cast<T*>(call.state),
                      [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
                        heat3d::share_rows(box, 0, box.z, bands, [&](std::int64_t z, std::int64_t y) {
                          heat3d::update_row<radius, weights>(from, to, box, z, y);
                        });
                      });
}

}  // namespace

Variant heat3d_openmp_simd() {
  Variant variant = heat3d::host_variant("threads over bands of rows that stay in cache, SIMD along rows");
  variant.tunables = tunables<Bands>(heat3d::band_members<Bands>());
  variant.adapt = by_name<heat3d::fit_bands>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
