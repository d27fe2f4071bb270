// The paper's COMP: a block of threads, one point each, copies the tile of an x-y plane that it computes, with R
// more points on each of the four sides, from global into shared memory. After a barrier of the block each
// thread reads its neighbours along x and y from there, those along z from global memory; a second barrier
// guards the tile until all have read it. So a value of the plane comes once a block out of the caches, but the
// 2R values along z come each by itself, and the tile costs more instructions and two barriers.
#include "point.cuh"

namespace sextant {
namespace {

// A step. The tile lies in shared memory with its halo, but for the corners; a block walks on by whole grids.
template <int radius, heat3d::Weights weights, typename T>
__global__ void shared(heat3d::Box box, const T* __restrict__ u, T* __restrict__ v) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int block_x = static_cast<int>(blockDim.x), block_y = static_cast<int>(blockDim.y);
  const int column = static_cast<int>(threadIdx.x), line = static_cast<int>(threadIdx.y);
  const int width = block_x + 2 * radius;
  T* const tile = reinterpret_cast<T*>(memory) + radius * width + radius;  // the halo lies before and after
  const int x = static_cast<int>(blockIdx.x) * block_x + column;
  const std::int64_t row = box.x;
  for (int z = static_cast<int>(blockIdx.z); z < box.z; z += gridDim.z)
    for (int top = static_cast<int>(blockIdx.y) * block_y; top < box.y; top += gridDim.y * block_y) {
      const int y = top + line;
      const T* const plane = u + z * box.plane;
      for (int j = line - radius; j < block_y + radius; j += block_y)
        if (x < box.x && top + j >= 0 && top + j < box.y)
          tile[j * width + column] = plane[(top + j) * row + x];
      for (int i = column; i < 2 * radius; i += block_x) {  // -R … -1, then block_x … block_x + R - 1
        const int beside = i < radius ? i - radius : block_x + i - radius, at = x - column + beside;
        if (y < box.y && at >= 0 && at < box.x) tile[line * width + beside] = plane[y * row + at];
      }
      __syncthreads();
      if (x < box.x && y < box.y) {
        const T* const own = tile + line * width + column;
        const std::int64_t i = z * box.plane + y * row + x;
        const bool rim = heat3d::in_rim<radius>(x, box.x) || heat3d::in_rim<radius>(y, box.y) ||
                         heat3d::in_rim<radius>(z, box.z);
        v[i] = rim ? own[0]
                   : heat3d::weighted<radius, weights>(
                         own[0], [&](int k) { return own[-k]; }, [&](int k) { return own[k]; },
                         [&](int k) { return own[-k * width]; }, [&](int k) { return own[k * width]; },
                         [&](int k) { return u[i - k * box.plane]; },
                         [&](int k) { return u[i + k * box.plane]; });
      }
      __syncthreads();
    }
}

struct Tile {
  int block_x = 32, block_y = 8;
};

std::size_t bytes_of(const Problem& problem, const Tile& tile) {
  const int halo = 2 * heat3d::radius_of(problem);
  return static_cast<std::size_t>(tile.block_x + halo) * static_cast<std::size_t>(tile.block_y + halo) *
         element_size(problem.type);
}

const char* constraint(const Problem& problem, const Tile& tile) {
  return refuse_block({}, tile.block_x, tile.block_y, 1, bytes_of(problem, tile));
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto tile = call.tuned<Tile>();
  const dim3 block(tile.block_x, tile.block_y);
  const dim3 grid = heat3d::grid_of(extents, tile.block_x, tile.block_y, 1);
  const std::size_t bytes = bytes_of(call.problem, tile);
  heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
    shared<radius, weights><<<grid, block, bytes, stream_of(call)>>>(heat3d::Box(extents), from, to);
  });
}

}  // namespace

Variant heat3d_cuda_shared() {
  Variant variant = heat3d::device_variant(
      "the paper's COMP: the x-y tile and its halo in shared memory, neighbours along z from global memory");
  variant.tunables = tunables<Tile>(
      {{"block_x", &Tile::block_x, {32, 64, 128, 256}}, {"block_y", &Tile::block_y, {1, 2, 4, 8, 16, 32}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace sextant
