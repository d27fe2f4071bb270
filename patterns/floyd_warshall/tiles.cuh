// Blocked Floyd-Warshall algorithm on the GPU in two steps per tile of vertices, by blocks of 16 x 16
// threads.
//
// In the first step, every block computes the shortest paths within the diagonal tile itself, so that no
// block waits for another. It then computes paths from and to the vertices of the tile. These are stored in
// separate arrays (panels), so that no block overwrites what others read.
//
// In the second step, square regions of the matrix are updated by paths through the tile's vertices, with the
// running minima in registers. The matrix is padded to whole regions with vertices that have no edges.
#pragma once

#include "min_plus.cuh"
#include "suite/choices.hpp"

namespace sextant::floyd_warshall {

using TileSizes = Choices<32, 64>;
using Elements = Choices<4, 8>;

inline constexpr int side = 16, threads = side * side;  // a block is a square of side x side threads
inline constexpr int chunk = 32;  // number of panel rows (vertices of a tile) in shared memory at a time

// n is the number of vertices, m the same with padding. `matrix` has m x m elements. The panels hold the
// paths to and from the tile's vertices, one row per vertex of the tile.
template <typename T>
struct Paths {
  int n, m;
  const T* w;
  T *d, *matrix, *to_tile, *from_tile;
};

template <int tile>
struct SharedTiles {
  static constexpr int step = tile + 1;
  static constexpr int elements = 2 * tile * step + 4 * tile;
};
template <int per>
struct SharedRegion {
  static constexpr int size = side * per;  // a region has size x size elements
  static constexpr int elements = 2 * chunk * size;
};

template <typename T, int tile, int per>
inline constexpr int shared_bytes_of_both = static_cast<int>(sizeof(T)) *
                                            (SharedTiles<tile>::elements > SharedRegion<per>::elements
                                                 ? SharedTiles<tile>::elements
                                                 : SharedRegion<per>::elements);

// Copies w into the padded matrix, with rows distributed over the blocks.
template <typename T>
__device__ __forceinline__ void fill(const Paths<T>& paths) {
  for (int y = static_cast<int>(blockIdx.x); y < paths.m; y += static_cast<int>(gridDim.x))
    for (int x = static_cast<int>(threadIdx.x); x < paths.m; x += threads)
      paths.matrix[static_cast<std::int64_t>(y) * paths.m + x] =
          y < paths.n && x < paths.n ? paths.w[static_cast<std::int64_t>(y) * paths.n + x]
                                     : static_cast<T>(far);
}
template <typename T>
__device__ __forceinline__ void hand_out(const Paths<T>& paths) {
  for (int y = static_cast<int>(blockIdx.x); y < paths.n; y += static_cast<int>(gridDim.x))
    for (int x = static_cast<int>(threadIdx.x); x < paths.n; x += threads)
      paths.d[static_cast<std::int64_t>(y) * paths.n + x] =
          paths.matrix[static_cast<std::int64_t>(y) * paths.m + x];
}

// Computes the shortest paths within the tile that starts at vertex k, and stores them in shared memory.
// Elements stay in registers. Each step publishes the row and column of its intermediate vertex, which the
// step does not change. These are double-buffered.
template <int tile, typename T>
__device__ __forceinline__ void close(const Paths<T>& paths, int k, T* among, T* lines) {
  constexpr int per = tile / side;
  const int x = static_cast<int>(threadIdx.x) % side, y = static_cast<int>(threadIdx.x) / side;
  const T* from = paths.matrix + static_cast<std::int64_t>(k) * paths.m + k;
  T least[per][per];
#pragma unroll
  for (int r = 0; r < per; ++r)
#pragma unroll
    for (int c = 0; c < per; ++c)
      least[r][c] = from[static_cast<std::int64_t>(y + side * r) * paths.m + x + side * c];
#pragma unroll
  for (int group = 0; group < per; ++group)
    for (int p = 0; p < side; ++p) {
      T *const row = lines + p % 2 * 2 * tile, *const column = row + tile;
#pragma unroll
      for (int e = 0; e < per; ++e) {
        if (y == p) row[x + side * e] = least[group][e];
        if (x == p) column[y + side * e] = least[e][group];
      }
      __syncthreads();
#pragma unroll
      for (int r = 0; r < per; ++r)
#pragma unroll
        for (int c = 0; c < per; ++c)
          least[r][c] = relaxed(least[r][c], column[y + side * r], row[x + side * c]);
    }
#pragma unroll
  for (int r = 0; r < per; ++r)
#pragma unroll
    for (int c = 0; c < per; ++c)
      among[(y + side * r) * SharedTiles<tile>::step + x + side * c] = least[r][c];
}

// If index < m / tile, computes the paths from the current tile to tile `index`, otherwise the paths from
// tile index - m / tile to the current tile. Stores them in the panels.
template <int tile, typename T>
__device__ __forceinline__ void find_ways(const Paths<T>& paths, int k, int index, const T* among,
                                          T* beside) {
  constexpr int per = tile / side, step = SharedTiles<tile>::step;
  const int x = static_cast<int>(threadIdx.x) % side, y = static_cast<int>(threadIdx.x) / side;
  const bool from = index < paths.m / tile;
  const int first = (from ? index : index - paths.m / tile) * tile;
  const T* source = paths.matrix + (from ? static_cast<std::int64_t>(k) * paths.m + first
                                         : static_cast<std::int64_t>(first) * paths.m + k);
  for (int at = static_cast<int>(threadIdx.x); at < tile * tile; at += threads) {
    const int row = at / tile, column = at % tile;
    beside[from ? row * step + column : column * step + row] =
        source[static_cast<std::int64_t>(row) * paths.m + column];
  }
  __syncthreads();
  T least[per][per];
#pragma unroll
  for (int r = 0; r < per; ++r)
#pragma unroll
    for (int c = 0; c < per; ++c) least[r][c] = static_cast<T>(far);
  const int along = from ? 1 : step, across = from ? step : 1;
#pragma unroll 4
  for (int p = 0; p < tile; ++p) {
    T mine[per], others[per];
#pragma unroll
    for (int e = 0; e < per; ++e) {
      mine[e] = among[(y + side * e) * across + p * along];
      others[e] = beside[p * step + x + side * e];
    }
#pragma unroll
    for (int r = 0; r < per; ++r)
#pragma unroll
      for (int c = 0; c < per; ++c) least[r][c] = relaxed(least[r][c], mine[r], others[c]);
  }
  T* const to = (from ? paths.from_tile : paths.to_tile) + first;
#pragma unroll
  for (int r = 0; r < per; ++r)
#pragma unroll
    for (int c = 0; c < per; ++c)
      to[static_cast<std::int64_t>(y + side * r) * paths.m + x + side * c] = least[r][c];
}

// Loads `chunk` rows of a panel into shared memory: the columns of one region, from column `first` on.
template <int per, typename T>
__device__ __forceinline__ void load_chunk(int m, const T* ways, int first, T* shared) {
  constexpr int size = SharedRegion<per>::size, width = vector_length<T>, vectors = size / width;
  for (int at = static_cast<int>(threadIdx.x); at < chunk * vectors; at += threads) {
    const int row = at / vectors, column = at % vectors * width;
    *reinterpret_cast<Vector<T, width>*>(shared + row * size + column) =
        load<width>(ways + static_cast<std::int64_t>(row) * m + first + column);
  }
}

// Loads the elements of a row or column that the calling thread needs. Neighbouring threads load neighbouring
// vectors.
template <int per, typename T>
__device__ __forceinline__ void load_own(const T* line, int thread, T* own) {
  constexpr int width = vector_length<T>;
#pragma unroll
  for (int e = 0; e < per; e += width) {
    const auto vector = load<width>(line + e * side + thread * width);
#pragma unroll
    for (int i = 0; i < width; ++i) own[e + i] = vector[i];
  }
}
template <int per, typename T>
__device__ __forceinline__ int place_of(int e, int thread) {
  constexpr int width = vector_length<T>;
  return e / width * width * side + thread * width + e % width;
}

// Updates the region at (i, j) by paths through the tile's vertices.
template <int tile, int per, typename T>
__device__ __forceinline__ void relax_region(const Paths<T>& paths, int i, int j, T* shared) {
  constexpr int size = SharedRegion<per>::size, width = vector_length<T>;
  const int x = static_cast<int>(threadIdx.x) % side, y = static_cast<int>(threadIdx.x) / side;
  T* const to = paths.matrix + static_cast<std::int64_t>(i) * paths.m + j;
  T least[per][per];
#pragma unroll
  for (int r = 0; r < per; ++r)
    load_own<per>(to + static_cast<std::int64_t>(place_of<per, T>(r, y)) * paths.m, x, least[r]);
  for (int k = 0; k < tile; k += chunk) {
    __syncthreads();  // All threads have finished reading the previous chunk.
    load_chunk<per>(paths.m, paths.to_tile + static_cast<std::int64_t>(k) * paths.m, i, shared);
    load_chunk<per>(paths.m, paths.from_tile + static_cast<std::int64_t>(k) * paths.m, j,
                    shared + chunk * size);
    __syncthreads();
#pragma unroll 4
    for (int p = 0; p < chunk; ++p) {
      T mine[per], others[per];
      load_own<per>(shared + p * size, y, mine);
      load_own<per>(shared + (chunk + p) * size, x, others);
#pragma unroll
      for (int r = 0; r < per; ++r)
#pragma unroll
        for (int c = 0; c < per; ++c) least[r][c] = relaxed(least[r][c], mine[r], others[c]);
    }
  }
#pragma unroll
  for (int r = 0; r < per; ++r)
#pragma unroll
    for (int e = 0; e < per; e += width) {
      Vector<T, width> vector;
#pragma unroll
      for (int c = 0; c < width; ++c) vector[c] = least[r][e + c];
      *reinterpret_cast<Vector<T, width>*>(to + static_cast<std::int64_t>(place_of<per, T>(r, y)) * paths.m +
                                           e * side + x * width) = vector;
    }
}

// ---- Host functions. The variant's state is device memory for the matrix and the panels.

// Returns the number of vertices n, rounded up to whole regions.
inline int filled_up(std::int64_t n, int per) {
  return static_cast<int>((n + side * per - 1) / (side * per)) * side * per;
}

// Number of elements of the padded matrix; 0 if no padding is needed, because d then serves as the matrix.
inline std::int64_t matrix_elements(std::int64_t n, std::int64_t m) { return m == n ? 0 : m * m; }

inline std::int64_t workspace_of(const Problem& problem, int tile, int per) {
  const std::int64_t n = problem.extents.x, m = filled_up(n, per);
  return (matrix_elements(n, m) + 2 * m * tile) * static_cast<std::int64_t>(element_size(problem.type));
}

template <typename T>
Paths<T> paths_of(const Call& call, int tile, int per) {
  const int n = static_cast<int>(call.problem.extents.x), m = filled_up(n, per);
  T* const memory = static_cast<T*>(call.state);
  T* const d = call.array<T>(1);
  T* const ways = memory + matrix_elements(n, m);
  return {
      n, m, call.array<const T>(0), d, m == n ? d : memory, ways, ways + static_cast<std::int64_t>(m) * tile};
}

inline const char* refuse_shape(const Problem& problem, int per) {
  if (problem.extents.x > 1 << 20) return "more than 2^20 vertices";
  return per > 4 && problem.type == ElementType::float64
             ? "elements_per_thread=8 is not for double: two blocks per multiprocessor would not have "
               "enough registers"
             : nullptr;
}

// CUDA allows a kernel more than 48 KiB of shared memory per block only on request.
inline const char* allow_shared_memory(const void* kernel, int bytes) {
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "two tiles need more shared memory than this GPU allows per block";
}

inline const char* allocate(std::int64_t bytes, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(bytes)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the padded matrix and the paths of a tile";
}

// Calls function.operator()<tile, per>(), where a thread updates per x per elements. There is no instance for
// 8 x 8 doubles.
template <typename T, typename Function>
void with_shape(int tile, int per, const Function& function) {
  TileSizes::with(tile, [&]<int size>() {
    if (per == 4) function.template operator()<size, 4>();
    if constexpr (sizeof(T) == 4)
      if (per == 8) function.template operator()<size, 8>();
  });
}

}  // namespace sextant::floyd_warshall
