#include "openacc.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// A thread a plane: GCC spreads the one loop that has a directive over gangs and vectors.
struct OuterLoop {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
#pragma acc parallel loop present(flags [0:nodes], f [0:all], g [0:all])
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x) propagate_node(nx, ny, nz, x, y, z, flags, f, g);
  }

  template <typename T>
  static void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
    const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel loop present(flags [0:nodes], f [0:all], g [0:all])
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, {keep, face, corner, push}, flags, g, f);
  }
};

}  // namespace

Variant lbm_d3q15_openacc_parallel_loop() {
  Variant variant;
  variant.description = "the talk's first form: two kernels, parallel loop on the outer loop only";
  variant.launch = {.float32 = time_loop<OuterLoop, float>, .float64 = time_loop<OuterLoop, double>};
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace sextant
