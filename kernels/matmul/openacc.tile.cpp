#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/tile.hpp"

namespace sextant {
namespace {

using Tiles = Choices<8, 16, 32>;

template <typename T, typename Index, int tile_>
void multiply(Index n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop gang vector tile(tile_, tile_) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(tile_* tile_)
  for (Index tile_i = 0; tile_i < n; ++tile_i)
    for (Index tile_j = 0; tile_j < n; ++tile_j) {
      Index i = tile_i, j = tile_j;
      openacc::carry(n, j, i);
      T sum = 0;
#pragma acc loop seq
      for (Index k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  openacc::with_index(call.problem, [&]<typename Index>() {
    Tiles::with(call.tuning[0], [&]<int V>() {
      multiply<T, Index, V>(static_cast<Index>(call.problem.extents.x), call.array<const T>(0),
                            call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace

Variant matmul_openacc_tile() {
  Variant variant;
  variant.description = "the study's form: tile(T,T), T*T threads, a dot product each";
  variant.home = Home::openacc;
  variant.tunables = {{"tile", Tiles::list(), 8}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
