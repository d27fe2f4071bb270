// Merge-based SpMV: all tiles have the same number of nonzeros plus row ends (merge path in loop.hpp),
// whatever the row lengths.
//
// A block reads its tile's nonzeros in order and stores the products in shared memory. Then each thread
// processes a slice of the merge path. Rows that span threads are combined in shared memory, and rows that
// span tiles by a second launch. Sums are whole numbers, so the order of additions does not matter. `prepare`
// computes where tiles start. If x does not fit in the L2 cache, the product is computed for one stripe
// (range of columns) at a time.
#include "entries.cuh"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using spmv::width;
using Blocks = Choices<128, 256, 512>;
using Items = Choices<4, 8, 16>;
using Striped = Choices<0, 1>;

struct Shape {
  int block_size = 256, items_per_thread = 8, stripes = 1;
  // number of steps of the merge path per tile
  std::int64_t steps() const { return std::int64_t{block_size} * items_per_thread; }
};

std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  const std::int64_t path = spmv::rows_of(problem) + spmv::entries_of(problem);
  return (path + shape.steps() - 1) / shape.steps();
}

// Arrays in device memory. first[t] is the first row that does not end before tile t. rests[t] is the
// carry-out of tile t, the partial sum that it contributes to row first[t + 1].
template <typename T>
struct Plan {
  T* rests;
  std::int32_t* first;

  Plan(void* memory, std::int64_t tiles)
      : rests(static_cast<T*>(memory)), first(reinterpret_cast<std::int32_t*>(rests + tiles)) {}
};

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const std::int64_t tiles = tiles_of(problem, shape);
  return tiles * static_cast<std::int64_t>(element_size(problem.type)) + (tiles + 1) * 4;
}

__global__ void find_tiles(std::int64_t tiles, std::int64_t steps, std::int64_t m, std::int64_t entries,
                           const std::int32_t* row, std::int32_t* first) {
  const std::int64_t t = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t > tiles) return;
  const std::int64_t at = min(t * steps, m + entries);
  first[t] = static_cast<std::int32_t>(spmv::place_on_path(at, m, entries, row + 1).rows);
}

template <int block, int items, typename T>
struct Shared {
  static constexpr int steps = block * items;
  // products of the tile's nonzeros; they start with the vector that holds the tile's first nonzero
  alignas(16) T products[steps + width];
  std::int32_t ends[steps + 1];  // row ends, relative to the tile's first nonzero

  // Computes the products of nonzeros begin … end - 1, and loads the ends of up to `rows` + 1 rows, starting
  // with row r.
  template <bool striped>
  __device__ __forceinline__ void fill(const spmv::Matrix<T>& a, const spmv::Stripe& stripe, int begin,
                                       int end, int r, int rows) {
    // one extra vector, because the first nonzero may be anywhere in its vector
    constexpr int vectors = items / width + 1;
    const int thread = static_cast<int>(threadIdx.x), base = begin / width * width;
    spmv::Entries<T> entries[vectors];
    spmv::load_entries<striped>(
        a, stripe, [=](int u) { return base + (thread + u * block) * width; }, [=](int) { return begin; },
        [=](int) { return end; }, entries);
    for (int i = thread; i <= rows; i += block)
      if (r + i < a.rows) ends[i] = __ldg(a.row + r + i + 1) - begin;
#pragma unroll
    for (int u = 0; u < vectors; ++u)
      if (base + (thread + u * block) * width < end)
        *reinterpret_cast<Vector<T, width>*>(products + (thread + u * block) * width) =
            entries[u].products(a.x);
  }
};

// Segmented inclusive scan over a warp: sums over lanes with the same row. Such lanes are adjacent.
template <typename T>
__device__ __forceinline__ T sum_of_row(T value, int row) {
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const T before = __shfl_up_sync(~0u, value, step);
    const int row_before = __shfl_up_sync(~0u, row, step);
    if (lane >= step && row_before == row) value += before;
  }
  return value;
}

// Computes one tile. If `further` is true, y already holds the sums of other stripes.
template <int block, int items, bool striped, typename T>
__global__ void __launch_bounds__(block)
    multiply(spmv::Matrix<T> a, spmv::Stripe stripe, bool further, Plan<T> plan, T* __restrict__ y) {
  using Tile = Shared<block, items, T>;
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& shared = *reinterpret_cast<Tile*>(bytes);
  const int thread = static_cast<int>(threadIdx.x), t = static_cast<int>(blockIdx.x);
  const std::int64_t path = std::int64_t{a.rows} + a.entries, from = std::int64_t{t} * Tile::steps;
  const int steps = static_cast<int>(min(std::int64_t{Tile::steps}, path - from));
  const int r0 = plan.first[t], rows = plan.first[t + 1] - r0;
  const int begin = static_cast<int>(from - r0), end = begin + steps - rows;
  shared.template fill<striped>(a, stripe, begin, end, r0, rows);
  __syncthreads();

  const int mine = min(thread * items, steps), before = begin % width;
  const auto place = spmv::place_on_path(mine, rows, end - begin, shared.ends);
  int r = place.rows, e = place.entries;
  T sum = 0, sums[items];
  unsigned ended = 0;  // bit i: step i is a row end, and sums[i] is the thread's partial sum of that row
#pragma unroll
  for (int i = 0; i < items; ++i) {
    sums[i] = 0;
    if (mine + i >= steps) continue;
    if (e < shared.ends[r]) {
      sum += shared.products[before + e++];
    } else {
      sums[i] = sum, sum = 0;
      ended |= 1u << i;
      ++r;
    }
  }
  __syncthreads();  // all products have been read; the row sums reuse their memory

  T* const totals = shared.products;
  int at = place.rows;
#pragma unroll
  for (int i = 0; i < items; ++i)
    if (ended >> i & 1) totals[at++] = sums[i];
  if (thread == 0) totals[rows] = 0;
  __syncthreads();
  sum = sum_of_row(sum, r);
  const int next = __shfl_down_sync(~0u, r, 1);
  if ((thread % 32 == 31 || next != r) && sum != T(0)) atomicAdd(&totals[r], sum);
  __syncthreads();
  for (int i = thread; i < rows; i += block)
    y[r0 + i] = striped && further ? y[r0 + i] + totals[i] : totals[i];
  if (thread == 0) plan.rests[t] = totals[rows];
}

template <typename T>
__global__ void add_rests(int tiles, int m, Plan<T> plan, T* y) {
  const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (t >= tiles) return;
  const int r = plan.first[t + 1];
  const T rest = plan.rests[t];
  if (r < m && rest != T(0)) atomicAdd(&y[r], rest);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const spmv::Matrix<T> a(call);
  const auto tiles = static_cast<int>(tiles_of(call.problem, shape));
  const Plan<T> plan(call.state, tiles);
  const cudaStream_t stream = stream_of(call);
  T* y = call.array<T>(4);
  Blocks::with(shape.block_size, [&]<int block>() {
    Items::with(shape.items_per_thread, [&]<int items>() {
      Striped::with(shape.stripes > 1, [&]<int striped>() {
        constexpr std::size_t bytes = sizeof(Shared<block, items, T>);
        const auto kernel = multiply<block, items, striped != 0, T>;
        if (bytes > 48 * 1024)
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
        for (int s = 0; s < shape.stripes; ++s) {
          kernel<<<static_cast<unsigned>(tiles), block, bytes, stream>>>(a, {a.rows, s, shape.stripes}, s > 0,
                                                                         plan, y);
          if (tiles > 1) add_rests<T><<<blocks_for(tiles, 256), 256, 0, stream>>>(tiles, a.rows, plan, y);
        }
      });
    });
  });
}

template <typename T>
void find_tiles_of(const Call& call, void* memory) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t tiles = tiles_of(call.problem, shape);
  find_tiles<<<blocks_for(tiles + 1, 256), 256, 0, stream_of(call)>>>(
      tiles, shape.steps(), spmv::rows_of(call.problem), spmv::entries_of(call.problem),
      call.array<const std::int32_t>(0), Plan<T>(memory, tiles).first);
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) !=
      cudaSuccess) {
    cudaGetLastError();  // clear the error, so that a later check does not report it
    return "no device memory for the starts of tiles";
  }
  if (call.problem.type == ElementType::float32)
    find_tiles_of<float>(call, *state);
  else
    find_tiles_of<double>(call, *state);
  return nullptr;
}

// Chosen from timings on an H200. For small power-law matrices, many small tiles keep all multiprocessors
// busy.
void adapt(const Problem& problem, Shape& shape) {
  if (problem.parameters[0] == spmv::powerlaw && spmv::entries_of(problem) < 1 << 23) shape = {128, 4, 1};
}

}  // namespace

std::vector<Variant> spmv_cuda_merge() {
  return {{.name = "merge",
           .description =
               "merge path: tiles of equal nonzeros plus rows, products in shared memory; a second "
               "launch completes split rows",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                        {"items_per_thread", &Shape::items_per_thread, Items::list()},
                                        {"stripes", &Shape::stripes, {1, 2, 3, 4}}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .prepare_depends_on = DependsOn::structure,
           .release = [](void* state) { cudaFree(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
