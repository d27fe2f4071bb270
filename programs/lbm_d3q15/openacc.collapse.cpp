#include "openacc.hpp"

#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

struct Vectors {
  int vector_length = 128;
};

using VectorLengths = Choices<32, 64, 128, 256, 512>;

// A thread a node: the three loops are collapsed into one, which is spread over gangs and vectors.
template <typename Index, int length>
struct Collapsed {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const Index nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                nz = static_cast<Index>(size.z);
    const std::int64_t nodes = size.count(), all = directions * nodes;
#pragma acc parallel loop gang vector collapse(3) present(flags [0:nodes], f [0:all], g [0:all]) \
    vector_length(length)
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
#pragma acc parallel loop gang vector collapse(3) present(flags [0:nodes], f [0:all], g [0:all]) \
    vector_length(length)
    for (Index z = 0; z < nz; ++z)
      for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, {keep, face, corner, push}, flags, g, f);
  }
};

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Vectors>().vector_length,
                        [&]<int length>() { time_loop<Collapsed<Index, length>, T>(call); });
  });
}

}  // namespace

Variant lbm_d3q15_openacc_collapse() {
  Variant variant;
  variant.description = "the talk's third form: two kernels, collapse(3)";
  variant.tunables = tunables<Vectors>({{"vector_length", &Vectors::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace sextant
