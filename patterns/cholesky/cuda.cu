#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/vector.cuh"

// Left-looking Cholesky factorization in squares of 64 x 64 elements, each of 2 x 2 tiles. A block keeps its
// square in registers while it subtracts the contributions of all earlier columns, 32 columns per step. Flags
// per tile tell it which tiles of other squares are ready; there is no grid barrier. If a tile is not solved
// yet, the block solves it itself from the diagonal tile.
namespace sextant::cholesky {

inline constexpr int tile = 32, square = 2 * tile, patch = 4, threads = 256;
// `solvers`: number of warps that solve for tiles; `pitch`: distance of columns in shared memory, in
// elements.
inline constexpr int solvers = 4, pitch = square + 4;

// Progress of a tile. `reduced`: the contributions of all earlier columns are subtracted. `solved`: the tile
// of L is final.
enum Flag : int { not_yet, reduced, solved };

// Tiles in global memory that blocks exchange: `left` holds tiles ready to be solved, `factor` solved tiles,
// `flags` their progress. Tiles are stored by columns: element (r, c) has index 32 c + r. `tiles`, an even
// number, is the number of tiles per side of the matrix.
template <typename T>
struct Tiles {
  T *left, *factor;
  int *flags, tiles;
  PollLimit poll_limit;

  Tiles(void* memory, int n, const PollLimit& limit)
      : tiles((n + square - 1) / square * 2), poll_limit(limit) {
    left = static_cast<T*>(memory);
    factor = left + count() * tile * tile;
    flags = reinterpret_cast<int*>(factor + count() * tile * tile);
  }
  std::int64_t count() const { return std::int64_t{tiles} * tiles; }
  std::int64_t flag_bytes() const { return count() * static_cast<std::int64_t>(sizeof(int)); }
  std::int64_t bytes() const {
    return 2 * count() * tile * tile * static_cast<std::int64_t>(sizeof(T)) + flag_bytes();
  }
  __device__ std::int64_t number(int i, int j) const { return std::int64_t{j} * tiles + i; }
};

__device__ __forceinline__ int acquire(const int* flag) {
  int value;
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ __forceinline__ void release(int* flag, int value) {
  asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

__device__ __forceinline__ float inverse_root(float value) {
  const float guess = rsqrtf(value);
  return fmaf(0.5f * guess, fmaf(-value * guess, guess, 1.0f), guess);
}
__device__ __forceinline__ double inverse_root(double value) { return rsqrt(value); }

// The block's shared memory. `sides` holds the solved tiles of one step: those in the rows and those in the
// columns of the block's square. It is double-buffered. The lanes of a warp exchange columns of the diagonal
// tile in `columns`.
template <typename T>
struct Shared {
  T sides[2][2][tile][pitch];
  T columns[solvers][2][tile];
};

// One warp solves for one tile, column by column. Each lane holds one row of the tile and one row of the
// diagonal tile. A shuffle broadcasts the next pivot early, because all lanes wait for it. The rest of the
// column goes through shared memory.
template <typename T>
__device__ __forceinline__ void solve(const T* __restrict__ diagonal, const T* __restrict__ from,
                                      T (*columns)[tile], T (&row)[tile]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T pivots[tile];
#pragma unroll
  for (int c = 0; c < tile; ++c) pivots[c] = __ldcg(diagonal + c * tile + lane);
#pragma unroll
  for (int c = 0; c < tile; ++c) row[c] = __ldcg(from + c * tile + lane);
  T pivot = pivots[0];
#pragma unroll
  for (int j = 0; j < tile; ++j) {
    const T inverse = inverse_root(__shfl_sync(~0u, pivot, j));
    pivots[j] *= inverse, row[j] *= inverse;
    if (j + 1 == tile) break;
    // The pivot of the next column, valid in lane j + 1.
    pivot = pivots[j + 1 < tile ? j + 1 : 0] - pivots[j] * pivots[j];
    T* const column = columns[j % 2];
    column[lane] = pivots[j];
    __syncwarp();
#pragma unroll
    for (int v = (j + 1) / 4; v < tile / 4; ++v) {
      const auto some = load<4>(column + 4 * v);
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int c = 4 * v + e;
        if (c > j) pivots[c] -= pivots[j] * some[e], row[c] -= row[j] * some[e];
      }
    }
  }
}

// One warp writes tile (i, k) to L. side[c][first + r] is element (r, c) of the tile. In diagonal tiles,
// elements above the diagonal are written as 0.
template <typename T>
__device__ __forceinline__ void write(int n, int i, int k, const T (*side)[pitch], int first,
                                      T* __restrict__ l) {
  const int c = static_cast<int>(threadIdx.x) % 32, x = k * tile + c;
#pragma unroll 8
  for (int r = 0; r < tile; ++r) {
    const int y = i * tile + r;
    if (y < n && x < n) l[static_cast<std::int64_t>(y) * n + x] = x <= y ? side[c][first + r] : T(0);
  }
}

// One block computes square (I, J) of L, where I >= J.
template <typename T>
__device__ __forceinline__ void factor_square(int n, int I, int J, const T* __restrict__ a,
                                              const Tiles<T>& tiles, Shared<T>& shared, T* __restrict__ l) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int half = warp / 4, my_row = warp % 4 * 16 + lane / 8 * patch,
            my_column = half * tile + lane % 8 * patch;
  // `idle`: all elements of this thread are above the diagonal.
  const bool diagonal = I == J, idle = diagonal && half == 1 && my_row < tile;
  T mine[patch][patch];
#pragma unroll
  for (int r = 0; r < patch; ++r)
#pragma unroll
    for (int c = 0; c < patch; ++c) {
      const int y = I * square + my_row + r, x = J * square + my_column + c;
      mine[r][c] = y < n && x < n ? a[static_cast<std::int64_t>(y) * n + x] : T(x == y ? 1 : 0);
    }
  // Publishes the two tiles of one half of the square, which four warps hold.
  const auto publish = [&](int due) {
    const bool ours = half == due;
    const std::int64_t to = tiles.number(2 * I + my_row / tile, 2 * J + half);
    if (ours && !idle)
#pragma unroll
      for (int c = 0; c < patch; ++c) {
        const Vector<T, patch> column = {mine[0][c], mine[1][c], mine[2][c], mine[3][c]};
        *reinterpret_cast<Vector<T, patch>*>(tiles.left + to * tile * tile + (my_column + c) % tile * tile +
                                             my_row % tile) = column;
      }
    __syncthreads();
    if (ours && warp % 2 == 0 && lane == 0) __threadfence(), release(tiles.flags + to, reduced);
  };
  if (J == 0) publish(0);
  for (int k = 0; k < 2 * J + 2; ++k) {
    auto& sides = shared.sides[k % 2];
    const bool of_rows = warp < 2;
    const int i = (of_rows ? 2 * I : 2 * J) + warp % 2;
    if (warp < solvers && i >= k && (of_rows || (!diagonal && i > k))) {
      const std::int64_t number = tiles.number(i, k), pivots = tiles.number(k, k);
      int of_tile = not_yet, of_pivots = not_yet;
      for (int peeks = tiles.poll_limit.peeks; of_tile == not_yet || of_pivots == not_yet;) {
        if (--peeks <= 0) {
          tiles.poll_limit.give_up();
          break;
        }
        const int flag = acquire(tiles.flags + (lane % 2 ? pivots : number));
        of_tile = __shfl_sync(~0u, flag, 0), of_pivots = __shfl_sync(~0u, flag, 1);
      }
      auto* const side = sides[of_rows ? 0 : 1];
      T row[tile];
      if (of_tile == solved) {
#pragma unroll
        for (int c = 0; c < tile; ++c) row[c] = __ldcg(tiles.factor + number * tile * tile + c * tile + lane);
      } else {
        solve(tiles.left + pivots * tile * tile, tiles.left + number * tile * tile, shared.columns[warp],
              row);
      }
#pragma unroll
      for (int c = 0; c < tile; ++c) side[c][warp % 2 * tile + lane] = row[c];
      if (of_rows && k / 2 == J) {
#pragma unroll
        for (int c = 0; c < tile; ++c) tiles.factor[number * tile * tile + c * tile + lane] = row[c];
        __syncwarp();
        if (lane == 0) __threadfence(), release(tiles.flags + number, solved);
        write(n, i, k, side, warp % 2 * tile, l);
      }
    }
    __syncthreads();
    if (2 * J + half > k && !idle) {
      const auto* const rows = sides[0];
      const auto* const columns = sides[diagonal ? 0 : 1];
#pragma unroll 8
      for (int c = 0; c < tile; ++c) {
        const auto of_rows = load<patch>(&rows[c][my_row]), of_columns = load<patch>(&columns[c][my_column]);
#pragma unroll
        for (int y = 0; y < patch; ++y)
#pragma unroll
          for (int x = 0; x < patch; ++x) mine[y][x] -= of_rows[y] * of_columns[x];
      }
    }
    if (k + 1 == 2 * J || k == 2 * J) publish(k + 1 - 2 * J);
  }
  // Writes 0 to the square of L at the mirrored position above the diagonal.
  const int x = I * square + static_cast<int>(threadIdx.x) % square;
  for (int r = static_cast<int>(threadIdx.x) / square; r < square; r += threads / square) {
    const int y = J * square + r;
    if (x < n && x / tile > y / tile) l[static_cast<std::int64_t>(y) * n + x] = T(0);
  }
  __syncthreads();  // The first step of the next square reuses the shared memory.
}

// Squares are numbered column by column, and a square waits only for squares with lower numbers. All blocks
// must be resident at once; otherwise they could wait forever.
template <typename T>
__global__ void __launch_bounds__(threads, 1)
    factor_squares(int n, const T* __restrict__ a, Tiles<T> tiles, T* __restrict__ l) {
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& shared = *reinterpret_cast<Shared<T>*>(bytes);
  const int side = tiles.tiles / 2;
  int before = 0, J = 0;
  for (int number = static_cast<int>(blockIdx.x); number < side * (side + 1) / 2;
       number += static_cast<int>(gridDim.x)) {
    while (number - before >= side - J) before += side - J++;
    factor_square(n, J + number - before, J, a, tiles, shared, l);
  }
}

}  // namespace sextant::cholesky

namespace sextant {
namespace {

// The straightforward implementation: one launch per column. Every thread computes the square root of the
// column's diagonal element itself.
namespace columns {

struct Block {
  int block_size = 128;
};

// Computes column j of L, one row per thread. Elements above the diagonal are set to 0.
template <typename T>
__global__ void factor_column(std::int64_t n, std::int64_t j, const T* __restrict__ a, T* l) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i < j) {
    l[i * n + j] = 0;
    return;
  }
  T square = a[j * n + j], sum = a[i * n + j];
  for (std::int64_t k = 0; k < j; ++k) {
    const T mine = l[j * n + k];
    square -= mine * mine;
    sum -= l[i * n + k] * mine;
  }
  l[i * n + j] = i == j ? sqrt(square) : sum / sqrt(square);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  for (std::int64_t j = 0; j < n; ++j)
    factor_column<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, j, call.array<const T>(0),
                                                                       call.array<T>(1));
}

}  // namespace columns

namespace task_graph {

struct State {
  WaitFlag waits;
  void* memory = nullptr;
  ~State() { cudaFree(memory); }
};

template <typename T>
void launch(const Call& call) {
  int n = static_cast<int>(call.problem.extents.x);
  const T* a = call.array<const T>(0);
  T* l = call.array<T>(1);
  const auto& state = *static_cast<const State*>(call.state);
  cholesky::Tiles<T> tiles(state.memory, n, state.waits.poll_limit());
  void* arguments[] = {&n, &a, &tiles, &l};
  const int side = tiles.tiles / 2, blocks = std::min(side * (side + 1) / 2, multiprocessors());
  cudaMemsetAsync(tiles.flags, 0, static_cast<std::size_t>(tiles.flag_bytes()), stream_of(call));
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(cholesky::factor_squares<T>),
                              dim3(static_cast<unsigned>(blocks)), dim3(cholesky::threads), arguments,
                              sizeof(cholesky::Shared<T>), stream_of(call));
}

std::int64_t workspace(const Problem& problem, const int*) {
  const auto n = static_cast<int>(problem.extents.x);
  return problem.type == ElementType::float64 ? cholesky::Tiles<double>(nullptr, n, {}).bytes()
                                              : cholesky::Tiles<float>(nullptr, n, {}).bytes();
}

template <typename T>
cudaError_t allow_shared() {
  return cudaFuncSetAttribute(cholesky::factor_squares<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(sizeof(cholesky::Shared<T>)));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const char* problem = nullptr;
  if ((call.problem.type == ElementType::float64 ? allow_shared<double>() : allow_shared<float>()) !=
      cudaSuccess)
    problem = "the solved tiles of two steps need more shared memory than this GPU allows per block";
  else if (mine->waits.make() != cudaSuccess ||
           cudaMalloc(&mine->memory, static_cast<std::size_t>(workspace(call.problem, nullptr))) !=
               cudaSuccess)
    problem = "no device memory for the tiles that blocks exchange";
  if (!problem) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  delete mine;
  return problem;
}

}  // namespace task_graph

}  // namespace

std::vector<Variant> cholesky_cuda() {
  return {
      {.name = "columns",
       .description = "the plain form: one launch per column, one thread per row",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<columns::Block>({{"block_size", &columns::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(columns::launch)},
      {.name = "task_graph",
       .description =
           "one launch; each block keeps a 64 x 64 square in registers and waits only for the tiles it needs",
       .memory_space = MemorySpace::cuda,
       .launch = SEXTANT_FLOAT_DOUBLE(task_graph::launch),
       .prepare = task_graph::prepare,
       .release = [](void* state) { delete static_cast<task_graph::State*>(state); },
       .workspace = task_graph::workspace},
  };
}

}  // namespace sextant
