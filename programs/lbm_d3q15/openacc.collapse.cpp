#include "openacc.hpp"

#include "suite/choices.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

using VectorLengths = Choices<32, 64, 128, 256, 512>;

template <typename Index, int length>
struct Collapsed {
  template <typename T>
  void propagate(const Extents& size, const T* flags, const T* f, T* g) const {
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
  void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) const {
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
  openacc::with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuning[0],
                        [&]<int length>() { time_loop<T>(call, Collapsed<Index, length>{}); });
  });
}

}  // namespace

Variant lbm_d3q15_openacc_collapse() {
  Variant variant;
  variant.description = "the talk's third form: two kernels, collapse(3)";
  variant.tunables = {{"vector_length", VectorLengths::list(), 128}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace sextant
