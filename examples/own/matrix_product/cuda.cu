#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Tiles = Choices<8, 16, 32>;

struct Tile {
  int tile = 16;
};

// A block computes tile x tile elements of c. The parts of a and b that it needs pass through shared memory.
template <typename T, int tile>
__global__ void matrix_product_tiles(Extents n, const T* a, const T* b, T* c) {
  __shared__ T part_a[tile][tile], part_b[tile][tile];
  const int i = threadIdx.x, j = threadIdx.y;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * tile + i;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * tile + j;
  T sum = 0;
  for (std::int64_t k = 0; k < n.z; k += tile) {
    part_a[j][i] = row < n.y && k + i < n.z ? a[row * n.z + k + i] : T(0);
    part_b[j][i] = k + j < n.z && column < n.x ? b[(k + j) * n.x + column] : T(0);
    __syncthreads();
    for (int l = 0; l < tile; ++l) sum += part_a[j][l] * part_b[l][i];
    __syncthreads();
  }
  if (row < n.y && column < n.x) c[row * n.x + column] = sum;
}

template <typename T>
void launch(const Call& call) {
  const Extents n = call.problem.extents;
  Tiles::with(call.tuned<Tile>().tile, [&]<int tile>() {
    const dim3 grid(static_cast<unsigned>((n.x + tile - 1) / tile),
                    static_cast<unsigned>((n.y + tile - 1) / tile));
    matrix_product_tiles<T, tile><<<grid, dim3(tile, tile), 0, static_cast<cudaStream_t>(call.stream)>>>(
        n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

const char* constraint(const Problem& problem, const Tile& tile) {
  return (problem.extents.y + tile.tile - 1) / tile.tile > 65535 ? "a grid has at most 65535 rows of blocks"
                                                                 : nullptr;
}

}  // namespace

std::vector<Variant> matrix_product_cuda() {
  return {{.name = "tiles",
           .description = "tiles of both operands in shared memory",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Tile>({{"tile", &Tile::tile, Tiles::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<constraint>}};
}

}  // namespace sextant
