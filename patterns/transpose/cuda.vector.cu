// 16-byte accesses on both sides. A thread reads a block of w x w elements (w to a vector) as w vectors and turns it in
// its registers; the turned vectors change threads in shared memory, so that neighbours write neighbours. Vector k of
// row j lies in slot k xor (j / w): eight lanes in a row then hit all banks, writing as well as reading.
// Where the rows of a or y are no whole vectors, elements move one by one, w x w by a thread, all of them under way at once.
// Rows then begin anywhere in a sector of 32 bytes: the longer a tile's side, the fewer sectors are written in two parts.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Groups = Choices<8, 16, 32>;

struct Shape {
  int groups = 16;  // vectors along a tile's side
};

// A tile of a: `groups` vectors wide, as many elements high; its block has a thread for each w x w elements.
template <int groups, typename T>
class Tile {
 public:
  static constexpr int w = vector_length<T>, side = groups * w, threads = groups * groups;

  // In the order of a: elements (i, j) of the tile, whose first is (i0, j0).
  __device__ void read(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                       const T* a) {
    const int group_j = static_cast<int>(threadIdx.x) % groups,
              group_i = static_cast<int>(threadIdx.x) / groups;
    const std::int64_t i = i0 + group_i * w, j = j0 + group_j * w;
    Vector<T, w> block[w] = {};
#pragma unroll
    for (int r = 0; r < w; ++r)
      if (j < columns && i + r < rows) block[r] = load<w>(a + (i + r) * columns + j);
#pragma unroll
    for (int k = 0; k < w; ++k) {
      Vector<T, w> turned;
#pragma unroll
      for (int r = 0; r < w; ++r) turned[r] = block[r][k];
      at_[slot(group_j * w + k, group_i)] = turned;
    }
  }

  // In the order of y, when all of the block have read.
  __device__ void write(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                        T* y) const {
    const int k = static_cast<int>(threadIdx.x) % groups, first = static_cast<int>(threadIdx.x) / groups;
#pragma unroll
    for (int step = 0; step < w; ++step) {
      const int j = step * groups + first;
      if (i0 + k * w < rows && j0 + j < columns)
        store_streaming(y + (j0 + j) * rows + i0 + k * w, at_[slot(j, k)]);
    }
  }

 private:
  static __device__ __forceinline__ int slot(int j, int k) { return j * groups + (k ^ (j / w)); }
  Vector<T, w> at_[side * groups];
};

// The same tile, element by element; a column of padding keeps its columns in different banks.
template <int groups, typename T>
class PaddedTile {
 public:
  static constexpr int w = vector_length<T>, side = groups * w, threads = groups * groups;

  __device__ void read(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                       const T* a) {
    T mine[w * w];
#pragma unroll
    for (int step = 0; step < w * w; ++step) {
      const auto [i, j] = place(step);
      mine[step] = i0 + i < rows && j0 + j < columns ? a[(i0 + i) * columns + j0 + j] : T(0);
    }
#pragma unroll
    for (int step = 0; step < w * w; ++step) {
      const auto [i, j] = place(step);
      at_[i][j] = mine[step];
    }
  }

  __device__ void write(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                        T* y) const {
#pragma unroll
    for (int step = 0; step < w * w; ++step) {
      const auto [j, i] = place(step);
      if (i0 + i < rows && j0 + j < columns) y[(j0 + j) * rows + i0 + i] = at_[i][j];
    }
  }

 private:
  struct Place {
    int row, column;
  };
  // The calling thread's element of a step: neighbours have neighbours in a row.
  static __device__ __forceinline__ Place place(int step) {
    const int element = step * threads + static_cast<int>(threadIdx.x);
    return {element / side, element % side};
  }
  T at_[side][side + 1];
};

// Tiles are numbered along the rows of y, whose neighbours share sectors that are better written soon after one another.
template <typename Tile, typename T>
__global__ void __launch_bounds__(Tile::threads)
    turn(std::int64_t rows, std::int64_t columns, unsigned down, const T* __restrict__ a, T* __restrict__ y) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  auto& tile = *reinterpret_cast<Tile*>(shared_bytes);
  const std::int64_t i0 = std::int64_t{blockIdx.x % down} * Tile::side,
                     j0 = std::int64_t{blockIdx.x / down} * Tile::side;
  tile.read(rows, columns, i0, j0, a);
  __syncthreads();
  tile.write(rows, columns, i0, j0, y);
}

template <typename Tile, typename T>
void launch_turn(const Call& call) {
  const Extents& extents = call.problem.extents;
  const unsigned across = blocks_for(extents.x, Tile::side), down = blocks_for(extents.y, Tile::side);
  if (sizeof(Tile) > 48 * 1024)
    cudaFuncSetAttribute(turn<Tile, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(sizeof(Tile)));
  turn<Tile, T><<<across * down, Tile::threads, sizeof(Tile), stream_of(call)>>>(
      extents.y, extents.x, down, call.array<const T>(0), call.array<T>(1));
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const bool whole = extents.x % vector_length<T> == 0 && extents.y % vector_length<T> == 0;
  Groups::with(call.tuned<Shape>().groups, [&]<int groups>() {
    if (whole)
      launch_turn<Tile<groups, T>, T>(call);
    else
      launch_turn<PaddedTile<groups, T>, T>(call);
  });
}

// What was fastest on an H200: 183 to 205 us at 8191 x 8191 floats.
void adapt(const Problem& problem, Shape& shape) {
  const bool whole = problem.extents.x % 4 == 0 && problem.extents.y % 4 == 0;
  if (problem.type == ElementType::float32 && !whole) shape.groups = 8;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t side =
      shape.groups * std::int64_t{16} / static_cast<std::int64_t>(element_size(problem.type));
  const auto tiles = [side](std::int64_t length) { return (length + side - 1) / side; };
  return tiles(problem.extents.x) * tiles(problem.extents.y) > INT32_MAX ? "more tiles than a grid has blocks"
                                                                         : nullptr;
}

}  // namespace

Variant transpose_cuda_vector() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "16-byte accesses on both sides, turned in registers, swizzled through shared memory; single elements where rows are "
      "no whole vectors";
  variant.tunables = tunables<Shape>({{"groups", &Shape::groups, Groups::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
