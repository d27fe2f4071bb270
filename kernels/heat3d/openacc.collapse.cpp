// One point an iteration: the three loops become one, whose iterations go to gangs of `vector_length` threads
// in order. Every operand comes from global memory, which is to say mostly from the caches, as neighbours ask
// for the same lines; nothing is kept and nobody waits. A compute region a step. Costs 6R + 1 loads a point and
// the divisions that find x, y and z from an iteration's number.
#include "directives.hpp"
#include "toolbox/index.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 256;
};

template <int radius, heat3d::Weights weights, typename T, typename Index, int vector_length_>
void sweep(Index nx, Index ny, Index nz, const T* u, T* v) {
  const std::int64_t row = nx, plane = row * ny, count = plane * nz;
#pragma acc parallel loop gang vector collapse(3) present(u [0:count], v [0:count]) \
    vector_length(vector_length_)
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) {
        const std::int64_t i = z * plane + y * row + x;
        const bool rim =
            heat3d::in_rim<radius>(x, nx) || heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
        v[i] = rim ? u[i] : heat3d::point<radius, weights>(u, row, plane, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
      heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
        sweep<radius, weights, T, Index, V>(static_cast<Index>(box.x), static_cast<Index>(box.y),
                                            static_cast<Index>(box.z), from, to);
      });
    });
  });
}

}  // namespace

Variant heat3d_openacc_collapse() {
  Variant variant = heat3d::mapped_variant("gang vector over the three loops as one");
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
