// 16-byte accesses on both sides. A thread reads a block of w x w elements (w to a vector) as w vectors and turns it in
// its registers; the turned vectors change threads in shared memory, so that neighbours write neighbours. Vector k of
// row j lies in slot k xor (j / w): eight lanes in a row then hit all banks, writing as well as reading. A side whose
// rows are no whole vectors is read or written element by element.
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
  __device__ void read_vectors(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
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
  __device__ void read_elements(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                                const T* a) {
#pragma unroll
    for (int step = 0; step < w * w; ++step) {
      const int element = step * threads + static_cast<int>(threadIdx.x), i = element / side,
                j = element % side;
      if (i0 + i < rows && j0 + j < columns) at_[slot(j, i / w)][i % w] = a[(i0 + i) * columns + j0 + j];
    }
  }

  // In the order of y, when all of the block have read.
  __device__ void write_vectors(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                                T* y) const {
    const int k = static_cast<int>(threadIdx.x) % groups, first = static_cast<int>(threadIdx.x) / groups;
#pragma unroll
    for (int step = 0; step < w; ++step) {
      const int j = step * groups + first;
      if (i0 + k * w < rows && j0 + j < columns)
        store_streaming(y + (j0 + j) * rows + i0 + k * w, at_[slot(j, k)]);
    }
  }
  __device__ void write_elements(std::int64_t rows, std::int64_t columns, std::int64_t i0, std::int64_t j0,
                                 T* y) const {
#pragma unroll
    for (int step = 0; step < w * w; ++step) {
      const int element = step * threads + static_cast<int>(threadIdx.x), j = element / side,
                i = element % side;
      if (i0 + i < rows && j0 + j < columns) y[(j0 + j) * rows + i0 + i] = at_[slot(j, i / w)][i % w];
    }
  }

 private:
  static __device__ __forceinline__ int slot(int j, int k) { return j * groups + (k ^ (j / w)); }
  Vector<T, w> at_[side * groups];
};

template <int groups, bool whole_reads, bool whole_writes, typename T>
__global__ void __launch_bounds__(groups* groups)
    turn(std::int64_t rows, std::int64_t columns, unsigned across, const T* __restrict__ a,
         T* __restrict__ y) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  auto& tile = *reinterpret_cast<Tile<groups, T>*>(shared_bytes);
  const std::int64_t i0 = std::int64_t{blockIdx.x / across} * tile.side,
                     j0 = std::int64_t{blockIdx.x % across} * tile.side;
  if constexpr (whole_reads)
    tile.read_vectors(rows, columns, i0, j0, a);
  else
    tile.read_elements(rows, columns, i0, j0, a);
  __syncthreads();
  if constexpr (whole_writes)
    tile.write_vectors(rows, columns, i0, j0, y);
  else
    tile.write_elements(rows, columns, i0, j0, y);
}

template <int groups, bool whole_reads, bool whole_writes, typename T>
void launch_turn(const Call& call) {
  const Extents& extents = call.problem.extents;
  using Share = Tile<groups, T>;
  const auto kernel = turn<groups, whole_reads, whole_writes, T>;
  const unsigned across = blocks_for(extents.x, Share::side), down = blocks_for(extents.y, Share::side);
  if (sizeof(Share) > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(sizeof(Share)));
  kernel<<<across * down, Share::threads, sizeof(Share), stream_of(call)>>>(
      extents.y, extents.x, across, call.array<const T>(0), call.array<T>(1));
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const bool whole_reads = extents.x % vector_length<T> == 0,
             whole_writes = extents.y % vector_length<T> == 0;
  Groups::with(call.tuned<Shape>().groups, [&]<int groups>() {
    if (whole_reads && whole_writes)
      launch_turn<groups, true, true, T>(call);
    else if (whole_reads)
      launch_turn<groups, true, false, T>(call);
    else if (whole_writes)
      launch_turn<groups, false, true, T>(call);
    else
      launch_turn<groups, false, false, T>(call);
  });
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
  variant.description = "16-byte accesses on both sides, turned in registers, swizzled through shared memory";
  variant.tunables = tunables<Shape>({{"groups", &Shape::groups, Groups::list()}});
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
