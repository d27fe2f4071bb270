#include "openacc.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

constexpr int workers = 8;
constexpr int length = 32;  // libgomp refuses 8 workers of more: 256 threads a gang are its limit there

// Three levels of parallelism for three loops: a gang a plane, workers over its rows, vectors along a row.
struct ThreeLevels {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
#pragma acc parallel present(flags [0:nodes], f [0:all], g [0:all]) num_workers(workers) vector_length(length)
#pragma acc loop gang
    for (std::int64_t z = 0; z < nz; ++z)
#pragma acc loop worker
      for (std::int64_t y = 0; y < ny; ++y)
#pragma acc loop vector
        for (std::int64_t x = 0; x < nx; ++x) propagate_node(nx, ny, nz, x, y, z, flags, f, g);
  }

  template <typename T>
  static void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
    const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel present(flags [0:nodes], f [0:all], g [0:all]) num_workers(workers) vector_length(length)
#pragma acc loop gang
    for (std::int64_t z = 0; z < nz; ++z)
#pragma acc loop worker
      for (std::int64_t y = 0; y < ny; ++y)
#pragma acc loop vector
        for (std::int64_t x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, {keep, face, corner, push}, flags, g, f);
  }
};

}  // namespace

Variant lbm_d3q15_openacc_gang_worker_vector() {
  Variant variant;
  variant.description = "the talk's second form: two kernels, gang on z, 8 workers on y, vector on x";
  variant.launch = {.float32 = time_loop<ThreeLevels, float>, .float64 = time_loop<ThreeLevels, double>};
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace sextant
