// 16-byte accesses on both sides. A thread reads a block of w x w elements (w to a vector) as w vectors and turns it in
// its registers; the turned vectors change threads in shared memory, so that neighbours write neighbours. Vector k of
// row j lies in slot k xor (j / w): eight lanes in a row then hit all banks, writing as well as reading.
// Where the rows of a or y are no whole vectors, they begin anywhere in one. A row of a is read by the aligned vectors that
// hold it, and shifted; a row of y is written from its last aligned address on, by vectors that are shifted out of two
// turned ones.
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
  static constexpr int overlap = 0;

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

// The `length` elements from number `shift` on, less than `length`, of low's and then high's.
template <typename T, int length>
__device__ __forceinline__ Vector<T, length> shifted(const Vector<T, length>& low,
                                                     const Vector<T, length>& high, int shift) {
  T both[2 * length];
#pragma unroll
  for (int i = 0; i < length; ++i) both[i] = low[i], both[length + i] = high[i];
#pragma unroll
  for (int step = 1; step < length; step *= 2)  // a barrel shifter, so that `both` stays in registers
#pragma unroll
    for (int i = 0; i + step < 2 * length; ++i) both[i] = (shift & step) ? both[i + step] : both[i];
  Vector<T, length> result;
#pragma unroll
  for (int i = 0; i < length; ++i) result[i] = both[i];
  return result;
}

// The same where rows are no whole vectors: of row j of y, the elements from i0 on, less those past an aligned address at
// which the row begins. So the rows of a begin one vector before i0.
template <int groups, typename T>
class ShiftedTile {
 public:
  static constexpr int w = vector_length<T>, side = groups * w, threads = groups * groups;
  static constexpr int overlap = w - 1;  // tiles along y's rows cover that much more than the rows

  __device__ void read(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                       const T* a) {
    const int group_j = static_cast<int>(threadIdx.x) % groups,
              group_i = static_cast<int>(threadIdx.x) / groups;
    Block block, before;
    load_block(block, rows, columns, i0 + group_i * w, j0 + group_j * w, a);
    if (group_i == 0) load_block(before, rows, columns, i0 - w, j0 + group_j * w, a);
    put(block, group_j, group_i + 1);
    if (group_i == 0) put(before, group_j, 0);
  }

  __device__ void write(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                        T* y) const {
    const int k = static_cast<int>(threadIdx.x) % groups, first = static_cast<int>(threadIdx.x) / groups;
#pragma unroll
    for (int step = 0; step < w; ++step) {
      const int j = step * groups + first;
      if (j0 + j >= columns) continue;
      const std::int64_t row = (j0 + j) * rows;
      const int past =
          static_cast<int>(row & (w - 1));  // elements from an aligned address to the row's first
      const std::int64_t i = i0 + k * w - past;
      const Vector<T, w> vector =
          shifted(at_[slot(j, past == 0 ? k + 1 : k)], at_[slot(j, k + 1)], -past & (w - 1));
      if (i >= 0 && i + w <= rows) {
        store_streaming(y + row + i, vector);
      } else {
#pragma unroll
        for (int e = 0; e < w; ++e)
          if (i + e >= 0 && i + e < rows) y[row + i + e] = vector[e];
      }
    }
  }

 private:
  struct Block {
    Vector<T, w> row[w];
  };

  // Elements (i, j) to (i + w - 1, j + w - 1), where a has them; i and j are multiples of w. A row's shift is the same in all
  // threads; its second vector is read only if a has elements there.
  static __device__ __forceinline__ void load_block(Block& block, std::int64_t rows, std::int64_t columns,
                                                    std::int64_t i, std::int64_t j, const T* a) {
#pragma unroll
    for (int r = 0; r < w; ++r) {
      block.row[r] = {};
      if (i + r < 0 || i + r >= rows || j >= columns) continue;
      const int shift = static_cast<int>((r * columns) & (w - 1));
      const T* from = a + (i + r) * columns + j - shift;
      const Vector<T, w> low = load<w>(from);
      const Vector<T, w> high = shift != 0 && j + w - shift < columns ? load<w>(from + w) : low;
      block.row[r] = shifted(low, high, shift);
    }
  }

  __device__ __forceinline__ void put(const Block& block, int group_j, int k) {
#pragma unroll
    for (int c = 0; c < w; ++c) {
      Vector<T, w> turned;
#pragma unroll
      for (int r = 0; r < w; ++r) turned[r] = block.row[r][c];
      at_[slot(group_j * w + c, k)] = turned;
    }
  }

  // Rows of groups + 1 vectors, turned round by one every w rows: of eight lanes in a row at most two hit the same banks.
  static __device__ __forceinline__ int slot(int j, int k) {
    const int turned = k + j / w;
    return j * (groups + 1) + (turned > groups ? turned - groups - 1 : turned);
  }
  Vector<T, w> at_[side * (groups + 1)];
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
  const unsigned across = blocks_for(extents.x, Tile::side),
                 down = blocks_for(extents.y + Tile::overlap, Tile::side);
  if (sizeof(Tile) > 48 * 1024)
    cudaFuncSetAttribute(turn<Tile, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(sizeof(Tile)));
  turn<Tile, T><<<across * down, Tile::threads, sizeof(Tile), stream_of(call)>>>(
      extents.y, extents.x, down, call.array<const T>(0), call.array<T>(1));
}

// Whether the rows of both matrices are whole vectors.
bool whole(const Problem& problem) {
  const std::int64_t w = 16 / static_cast<std::int64_t>(element_size(problem.type));
  return problem.extents.x % w == 0 && problem.extents.y % w == 0;
}

template <typename T>
void launch(const Call& call) {
  Groups::with(call.tuned<Shape>().groups, [&]<int groups>() {
    if (whole(call.problem))
      launch_turn<Tile<groups, T>, T>(call);
    else
      launch_turn<ShiftedTile<groups, T>, T>(call);
  });
}

void adapt(const Problem& problem, Shape& shape) {
  if (problem.type == ElementType::float32 && !whole(problem)) shape.groups = 8;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t w = 16 / static_cast<std::int64_t>(element_size(problem.type)), side = shape.groups * w;
  const auto tiles = [side](std::int64_t length) { return (length + side - 1) / side; };
  return tiles(problem.extents.x) * tiles(problem.extents.y + w - 1) > INT32_MAX
             ? "more tiles than a grid has blocks"
             : nullptr;
}

}  // namespace

Variant transpose_cuda_vector() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "16-byte accesses on both sides, turned in registers, swizzled through shared memory, shifted where rows are no whole "
      "vectors";
  variant.tunables = tunables<Shape>({{"groups", &Shape::groups, Groups::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
