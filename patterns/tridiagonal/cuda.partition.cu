// Solves long systems in three launches. A system is divided into parts of 2048 rows. In the first launch, a
// block reduces each part to two equations. In the second, one block per system solves these, which gives the
// last unknown of every part. In the third, blocks solve the parts with these unknowns given.
#include "rows.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using tridiagonal::Segment;

constexpr int block = 256, K = 8, part = block * K;
static_assert(std::int64_t{part} * part >= std::int64_t{1} << 22,
              "one block must hold all parts of the longest system");

std::int64_t parts_of(const Problem& p) { return (tridiagonal::length_of(p) + part - 1) / part; }

// Rows of the calling thread: index of the first one, number of rows from there to the end, and part number.
struct Place {
  std::int64_t first, there;
  int part;

  __device__ Place(std::int64_t length, int parts) : part(static_cast<int>(blockIdx.x) % parts) {
    const std::int64_t row =
        static_cast<std::int64_t>(part) * (block * K) + static_cast<int>(threadIdx.x) * K;
    first = static_cast<std::int64_t>(blockIdx.x) / parts * length + row;
    there = length - row;
  }
};

// Joins the segments (reduced equations) of all lanes of a warp into one, in lane 0.
template <typename T>
__device__ __forceinline__ Segment<T> joined_by_warp(Segment<T> mine) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    Segment<T> other;
#pragma unroll
    for (int e = 0; e < 3; ++e) {
      other.of_first[e] = __shfl_down_sync(~0u, mine.of_first[e], step);
      other.of_last[e] = __shfl_down_sync(~0u, mine.of_last[e], step);
    }
    mine = joined(mine, other);
  }
  return mine;
}

template <int width, typename T>
__global__ void __launch_bounds__(block)
    reduce_parts(std::int64_t length, int parts, tridiagonal::Arrays<T> arrays, Segment<T>* segments) {
  __shared__ Segment<T> of_warps[block / 32];
  const Place place(length, parts);
  const tridiagonal::Coefficients<K, width, T> given(arrays, place.first, place.there);
  tridiagonal::Rows<K, T> rows;
  rows.eliminate(given.a, given.b, given.c, given.d);
  const Segment<T> of_warp = joined_by_warp(rows.segment());
  const int thread = static_cast<int>(threadIdx.x);
  if (thread % 32 == 0) of_warps[thread / 32] = of_warp;
  __syncthreads();
  if (thread > 0) return;
  Segment<T> all = of_warps[0];
  for (int warp = 1; warp < block / 32; ++warp) all = joined(all, of_warps[warp]);
  segments[blockIdx.x] = all;
}

// Computes lasts[p], the last unknown of part p of the block's system, for all parts.
template <typename T>
__global__ void __launch_bounds__(block) solve_ends(int parts, const Segment<T>* segments, T* lasts) {
  __shared__ tridiagonal::Board<block, T> board;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * parts;
  const int row = static_cast<int>(threadIdx.x) * K;
  T a[K], b[K], c[K], d[K], x[K];
#pragma unroll
  for (int i = 0; i < K; ++i) {
    a[i] = c[i] = d[i] = 0, b[i] = 1;
    if (row + i >= parts) continue;
    const Segment<T> mine = segments[first + row + i];
    const T coupling = mine.of_last[1];  // coefficient of the next part's first unknown; 0 for the last part
    a[i] = mine.of_last[0], d[i] = mine.of_last[2];
    if (row + i + 1 >= parts) continue;
    const Segment<T> behind = segments[first + row + i + 1];
    b[i] -= coupling * behind.of_first[0];
    c[i] = -coupling * behind.of_first[1];
    d[i] -= coupling * behind.of_first[2];
  }
  tridiagonal::Rows<K, T> rows;
  rows.eliminate(a, b, c, d);
  tridiagonal::solve_block(rows, board, x);
#pragma unroll
  for (int i = 0; i < K; ++i)
    if (row + i < parts) lasts[first + row + i] = x[i];
}

template <int width, typename T>
__global__ void __launch_bounds__(block)
    finish_parts(std::int64_t length, int parts, tridiagonal::Arrays<T> arrays, const T* lasts) {
  __shared__ tridiagonal::Board<block, T> board;
  const Place place(length, parts);
  tridiagonal::Coefficients<K, width, T> given(arrays, place.first, place.there);
  if (threadIdx.x == 0 && place.part > 0) given.d[0] -= given.a[0] * lasts[blockIdx.x - 1];
  if (threadIdx.x == 0) given.a[0] = 0;
  if (threadIdx.x == block - 1) {
    given.a[K - 1] = given.c[K - 1] = 0, given.b[K - 1] = 1;
    given.d[K - 1] = lasts[blockIdx.x];
  }
  tridiagonal::Rows<K, T> rows;
  rows.eliminate(given.a, given.b, given.c, given.d);
  T x[K];
  tridiagonal::solve_block(rows, board, x);
  tridiagonal::store_rows<K, width>(x, arrays.x + place.first, place.there);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t length = tridiagonal::length_of(call.problem),
                     systems = tridiagonal::systems_of(call.problem);
  const auto parts = static_cast<int>(parts_of(call.problem));
  const auto blocks = static_cast<unsigned>(systems * parts);
  auto* segments = static_cast<Segment<T>*>(call.state);
  T* lasts = reinterpret_cast<T*>(segments + systems * parts);
  const tridiagonal::Arrays<T> arrays(call);
  const auto stream = stream_of(call);
  tridiagonal::with_width<T>(call.problem, [&]<int width>() {
    reduce_parts<width, T><<<blocks, block, 0, stream>>>(length, parts, arrays, segments);
    solve_ends<T><<<static_cast<unsigned>(systems), block, 0, stream>>>(parts, segments, lasts);
    finish_parts<width, T><<<blocks, block, 0, stream>>>(length, parts, arrays, lasts);
  });
}

std::int64_t workspace(const Problem& p, const int*) {
  return 7 * tridiagonal::systems_of(p) * parts_of(p) * static_cast<std::int64_t>(element_size(p.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, nullptr))) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the reduced equations of parts";
}

}  // namespace

std::vector<Variant> tridiagonal_cuda_partition() {
  return {{.name = "partition",
           .description = "long systems in parts of 2048 unknowns; three launches, coefficients read twice",
           .memory_space = MemorySpace::cuda,
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .prepare = prepare,
           .release = [](void* state) { cudaFree(state); },
           .workspace = workspace}};
}

}  // namespace sextant
