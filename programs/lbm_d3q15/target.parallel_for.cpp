// The form that one would write first: the talk's two kernels, a loop over all nodes each.
#include "target.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

template <typename Index>
struct Collapsed {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const Index nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                nz = static_cast<Index>(size.z);
    const std::int64_t nodes = size.count(), all = directions * nodes;
#pragma omp target map(to : flags [0:nodes], f [0:all]) map(tofrom : g [0:all])
#pragma omp teams distribute parallel for collapse(3)
    for (Index z = 0; z < nz; ++z)
      for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x) propagate_node(nx, ny, nz, x, y, z, flags, f, g);
  }

  template <typename T>
  static void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) {
    const Index nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                nz = static_cast<Index>(size.z);
    const std::int64_t nodes = size.count(), all = directions * nodes;
    const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma omp target map(to : flags [0:nodes], g [0:all]) map(tofrom : f [0:all])
#pragma omp teams distribute parallel for collapse(3)
    for (Index z = 0; z < nz; ++z)
      for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, Rates<T>{keep, face, corner, push}, flags, g, f);
  }
};

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() { time_loop<Collapsed<Index>, T>(call); });
}

}  // namespace

Variant lbm_d3q15_target_parallel_for() {
  Variant variant;
  variant.description = "two kernels, target teams distribute parallel for, three loops as one";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_target_variant(variant);
  return variant;
}

}  // namespace sextant
